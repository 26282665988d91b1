// npm run test:all: runs the slow tests, which npm test does not run.
import { showHelp } from './help.mjs';
import { longestFirst, longestOfAll } from './longest-tests.mjs';
import { isLong, runTests, testFiles } from './run-tests.mjs';
import { setUp } from './setup.mjs';
import { removeResults } from './test-results.mjs';

showHelp(`npm run test:all

Runs the slow tests, which npm test does not run: programs of the examples, chaos, fuzzing, random histories, and servers under load.
Together, both commands run every test that does not need a real control plane.

Options:
  -h, --help  print this help`);

setUp();
removeResults('skipped');
process.exitCode = runTests(longestFirst(testFiles(isLong), longestOfAll), { results: 'all', inOrder: true });
