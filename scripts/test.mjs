// npm test [-- PATTERN … | --skipped]: sets up the clone and runs all tests, or the tests whose path contains a pattern. With --skipped,
// runs the files in which the last run skipped tests, for a machine that now has the missing programs.
import { join, sep } from 'node:path';
import { showHelp } from './help.mjs';
import { runTests, testFiles } from './run-tests.mjs';
import { setUp } from './setup.mjs';
import { filesWithSkips, readResults, removeResults, writeResults } from './test-results.mjs';

showHelp(`npm test [-- PATTERN … | --skipped]

Runs all tests, or the test files whose path contains one of the patterns. Prints which tests were skipped and why.

Options:
  --skipped   repeat the files in which the last run skipped tests
  -h, --help  print this`);

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
  console.error(`no test file has ${patterns.join(' or ')} in its path`);
  return 1;
}

function repeatSkipped() {
  const first = readResults('conformance');
  if (first === undefined) {
    console.error('no complete test run is recorded, so there is nothing to repeat; run npm test first');
    return 1;
  }
  const chosen = filesWithSkips(first);
  if (chosen.length > 0) return runTests(chosen, { results: 'skipped' });
  console.log('the last test run skipped no test');
  writeResults('skipped', { files: [], tests: [] });
  return 0;
}
