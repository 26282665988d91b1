// npm test [-- PATTERN … | --skipped]: runs all tests on the embedded API server except slow tests, or all tests whose path contains a
// pattern. With --skipped, repeats the tests that the last run skipped, for example after you install a missing program.
import { showHelp } from './help.mjs';
import { longestOfEmbedded } from './longest-tests.mjs';
import { isLong, runsElsewhere, runTests, testFiles } from './run-tests.mjs';
import { setUp } from './setup.mjs';
import { testInputs } from './test-inputs.mjs';
import { filesWithSkips, firstResults, namesOfSkips, removeResults, writeResults } from './test-results.mjs';

showHelp(`npm test [-- PATTERN … | --skipped]

Runs the tests of every package against the embedded server. With patterns, runs the test files whose path contains one of the patterns,
including the files of npm run test:all. Prints the skipped tests with their reasons.

With --skipped, takes results from the results cache, as npm run test:all does.

Options:
  --skipped   repeat the tests that the last run of npm test or npm run test:all skipped
  -h, --help  print this help`);

setUp();
const args = process.argv.slice(2);
process.exitCode = args.includes('--skipped') ? repeatSkipped() : run(args);

function run(patterns) {
  removeResults('skipped');
  const chosen = testFiles(
    (path) =>
      !runsElsewhere(path) &&
      (patterns.length === 0 ? !isLong(path) : patterns.some((pattern) => path.includes(pattern))),
  );
  if (chosen.length > 0) return runTests(chosen, { results: 'conformance', longest: longestOfEmbedded });
  console.error(`no path of a test file contains ${patterns.join(' or ')}`);
  return 1;
}

function repeatSkipped() {
  const first = firstResults();
  if (first === undefined) {
    console.error('cannot repeat skipped tests: no complete test run is recorded; run npm test first');
    return 1;
  }
  const chosen = filesWithSkips(first);
  if (chosen.length > 0) {
    const names = namesOfSkips(first);
    const { foldersOf } = testInputs();
    const inputsOf = (files) => ({ isInput: foldersOf(files), values: names });
    return runTests(chosen, { results: 'skipped', names, inputsOf });
  }
  console.log('the last test runs did not skip any tests');
  writeResults('skipped', { files: [], tests: [] });
  return 0;
}
