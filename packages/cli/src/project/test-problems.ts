const TEST = /(?:^|\/)(?:[^/]*[._-](?:test|spec)\.[cm]?[jt]sx?|(?:tests?|__tests__)\/.*):\d+:\d+: /;

/** The errors of a compilation, divided into errors in tests and errors in the program of the operator. */
export interface SortedProblems {
  readonly ofTests: readonly string[];
  readonly ofProgram: readonly string[];
}

/**
 * Divides the error messages of the compiler (`src/x.ts:3:7: …`, with indented continuation lines) into errors in tests and other errors.
 * Tests are files such as `x.test.ts` and `x.spec.ts`, and all files below folders named `test`, `tests`, or `__tests__`.
 */
export function sortedProblems(sentences: readonly string[]): SortedProblems {
  const [ofTests, ofProgram]: [string[], string[]] = [[], []];
  let last = ofProgram;
  for (const sentence of sentences) {
    if (!sentence.startsWith(' ')) last = TEST.test(sentence) ? ofTests : ofProgram;
    last.push(sentence);
  }
  return { ofTests, ofProgram };
}
