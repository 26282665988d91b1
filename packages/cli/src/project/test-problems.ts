const TEST = /(?:^|\/)(?:[^/]*[._-](?:test|spec)\.[cm]?[jt]sx?|(?:tests?|__tests__)\/.*):\d+:\d+: /;

/** The errors of a compilation, separated into errors of tests and errors of the operator's program. */
export interface SortedProblems {
  readonly ofTests: readonly string[];
  readonly ofProgram: readonly string[];
}

/**
 * Separates the error messages of the compiler, `src/x.ts:3:7: …` and their continuation lines. Tests are files such as `x.test.ts` and
 * `x.spec.ts`, and all files below folders named `test`, `tests`, and `__tests__`.
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
