/** Patterns of commander's error messages, with functions that return the new message for the matched groups. */
const REWRITTEN: readonly (readonly [pattern: RegExp, how: (...parts: readonly string[]) => string])[] = [
  [/\n\(Did you mean (?:one of )?(.+?)\?\)/, (names) => `; did you mean ${names}?`],
  [
    /command-argument value ('.*') is invalid for argument ('.*')\. Allowed choices are (.+)\./,
    (value, name, choices) => `argument ${value} is invalid for ${name}: use ${oneOf(choices)}`,
  ],
  [
    /option ('.*') argument ('.*') is invalid\. Allowed choices are (.+)\./,
    (option, value, choices) => `${value} is invalid for option ${option}: use ${oneOf(choices)}`,
  ],
];

/** Rewrites commander's message about an unknown, missing or invalid argument as one line with a suggestion. Keeps other messages. */
export function usageError(text: string): string {
  for (const [pattern, how] of REWRITTEN) {
    const rewritten = text.replace(pattern, (_all, ...parts: string[]) => how(...parts));
    if (rewritten !== text) return rewritten;
  }
  if (!/unknown (command|option)|missing|not specified/.test(text)) return text;
  return `${text.trimEnd()}; see --help\n`;
}

function oneOf(choices = ''): string {
  return choices.replace(/, ([^,]*)$/, ' or $1');
}
