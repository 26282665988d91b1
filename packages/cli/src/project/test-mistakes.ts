const TEST = /(?:^|\/)(?:[^/]*[._-](?:test|spec)\.[cm]?[jt]sx?|(?:tests?|__tests__)\/.*):\d+:\d+: /;

/** The mistakes of a compilation, by whether the program of the operator needs what they are about. */
export interface SortedMistakes {
  readonly ofTests: readonly string[];
  readonly ofProgram: readonly string[];
}

/**
 * Sorts the sentences of the compiler, `src/x.ts:3:7: …`, with the lines that belong to them. Tests are files such as `x.test.ts` and
 * `x.spec.ts`, and all below folders named `test`, `tests` and `__tests__`.
 */
export function sortedMistakes(sentences: readonly string[]): SortedMistakes {
  const [ofTests, ofProgram]: [string[], string[]] = [[], []];
  let last = ofProgram;
  for (const sentence of sentences) {
    if (!sentence.startsWith(' ')) last = TEST.test(sentence) ? ofTests : ofProgram;
    last.push(sentence);
  }
  return { ofTests, ofProgram };
}
