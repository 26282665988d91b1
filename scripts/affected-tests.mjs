// Finds the test files that a change can break.
import { isLong } from './run-tests.mjs';
import { testInputs } from './test-inputs.mjs';

/**
 * Returns the tests that changes of files can affect: changed tests, tests that directly or indirectly import a changed module, and tests
 * that read a changed file by path. For a slow test, changes of all other files in the folders of these modules and files count as well.
 * `changed` and `tests` are paths relative to the root, with slashes. Preserves the order of `tests`.
 */
export function affectedTests(changed, tests) {
  const { filesOf, foldersOf } = testInputs();
  return tests.filter((test) => changed.some(isLong(test) ? foldersOf([test]) : filesOf(test)));
}
