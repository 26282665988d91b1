const mostCharacters = 4096;
const mostOfOne = 256;

/**
 * Returns one Warning header with all warnings of a response, separated by commas. Contains each text once. If the texts have more than
 * 4096 characters in total, shortens each text to 256 characters, and omits the texts after 4096 characters. Omits texts with control
 * characters.
 */
export function warningHeaders(sentences: readonly string[]): Readonly<Record<string, string>> {
  const unique = fitting(distinct(sentences));
  if (unique.length === 0) return {};
  return { warning: unique.map((sentence) => `299 - ${quoted(sentence)}`).join(', ') };
}

function* distinct(sentences: readonly string[]): Generator<string> {
  const unique = new Set(['']);
  for (const sentence of sentences) {
    if (unique.has(sentence) || /\p{Cc}/u.test(sentence)) continue;
    unique.add(sentence);
    yield sentence;
  }
}

/**
 * Returns the texts that fit into the headers. If all texts together exceed the limit, shortens each text. Reads no more texts than it
 * returns, because a request can cause tens of thousands of warnings.
 */
function fitting(sentences: Iterator<string>): readonly string[] {
  const taken: string[] = [];
  let written = 0;
  for (let next = sentences.next(); next.done !== true; next = sentences.next()) {
    taken.push(next.value);
    written += [...next.value].length;
    if (written > mostCharacters) break;
  }
  if (written <= mostCharacters) return taken;
  const short = taken.map((sentence) => shortened(sentence));
  written = short.reduce((sum, sentence) => sum + [...sentence].length, 0);
  while (written < mostCharacters) {
    const next = sentences.next();
    if (next.done === true) break;
    short.push(shortened(next.value));
    written += [...shortened(next.value)].length;
  }
  return short;
}

function shortened(sentence: string): string {
  return [...sentence].slice(0, mostOfOne).join('');
}

/** Returns the quoted text as UTF-8 bytes for a header. */
function quoted(sentence: string): string {
  const bytes = Buffer.from(sentence.replace(/[\\"]/g, '\\$&')).toString('latin1');
  return `"${bytes}"`;
}
