// npm test [-- PATTERN … | --skipped]: sets up the clone and runs all tests, or the tests whose path contains a pattern. With --skipped,
// runs the files in which the last run skipped tests, for a machine that now has the missing programs.
import { join, sep } from 'node:path';
import { showHelp } from './help.mjs';
import { runTests, testFiles } from './run-tests.mjs';
import { setUp } from './setup.mjs';
import { filesWithSkips, readResults, removeResults, writeResults } from './test-results.mjs';

showHelp(`npm test [-- PATTERN … | --skipped]

Runs all tests, or the test files whose path contains one of the patterns. Prints the skipped tests with their reasons.

Options:
  --skipped   repeat the files in which the last run skipped tests
  -h, --help  print this help`);

/** The architecture test is a check; the tests in control-plane need a real control plane. */
const elsewhere = ['architecture', 'control-plane'].map((folder) => join('test', folder) + sep);

setUp();
const args = process.argv.slice(2);
process.exitCode = args.includes('--skipped') ? repeatSkipped() : run(args);

function run(patterns) {
  removeResults('skipped');
  const chosen = testFiles(
    (path) =>
      !elsewhere.some((folder) => path.startsWith(folder)) &&
      (patterns.length === 0 || patterns.some((pattern) => path.includes(pattern))),
  );
  if (chosen.length > 0) return runTests(chosen, { results: 'conformance' });
  console.error(`no path of a test file contains ${patterns.join(' or ')}`);
  return 1;
}

function repeatSkipped() {
  const first = readResults('conformance');
  if (first === undefined) {
    console.error('cannot repeat skipped tests: no complete test run is recorded; run npm test first');
    return 1;
  }
  const chosen = filesWithSkips(first);
  if (chosen.length > 0) return runTests(chosen, { results: 'skipped' });
  console.log('the last test run did not skip any tests');
  writeResults('skipped', { files: [], tests: [] });
  return 0;
}
