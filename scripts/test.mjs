// npm test [-- PATTERN …]: sets the clone up and runs the tests, all or those whose file name holds a pattern.
import { rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { resultsFile, runTests, testFiles } from './run-tests.mjs';
import { setUp } from './setup.mjs';

/** The architecture test is a check; what is in control-plane needs a real one. */
const elsewhere = ['architecture', 'control-plane'].map((folder) => join('test', folder) + sep);

setUp();
const patterns = process.argv.slice(2);
rmSync(resultsFile('conformance'), { force: true });
const chosen = testFiles(
  (path) =>
    !elsewhere.some((folder) => path.startsWith(folder)) &&
    (patterns.length === 0 || patterns.some((pattern) => path.includes(pattern))),
);
if (chosen.length === 0) {
  console.error(`no test file has ${patterns.join(' or ')} in its path`);
  process.exit(1);
}
process.exitCode = runTests(chosen, { results: 'conformance' });
