// npm run test:all: runs the slow tests, which npm test does not run.
import { showHelp } from './help.mjs';
import { longestOfAll } from './longest-tests.mjs';
import { isLong, runTests, testFiles } from './run-tests.mjs';
import { setUp } from './setup.mjs';
import { testInputs } from './test-inputs.mjs';
import { removeResults } from './test-results.mjs';

showHelp(`npm run test:all

Runs the slow tests, which npm test does not run: programs of the examples, chaos, fuzzing, random histories, and servers under load.
Together, both commands run every test that does not need a real control plane.

Takes the results of tests from the results cache if they passed before and no file on which they depend has changed. Each run repeats a
quarter of these tests, the ones that have not run for the longest time.

Options:
  -h, --help  print this help

Environment:
  KUBEWRIGHT_RERUN=1            run all tests
  KUBEWRIGHT_RESULTS_CACHE=DIR  the folder of the results cache (default: ~/.cache/kubewright/results)`);

setUp();
removeResults('skipped');
const { foldersOf } = testInputs();
process.exitCode = runTests(testFiles(isLong), {
  results: 'all',
  longest: longestOfAll,
  inputsOf: (files) => ({ isInput: foldersOf(files) }),
});
