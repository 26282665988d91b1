// npm run test:unit [-- --watch] [PATTERN …]: runs the unit tests of all packages. Does not run tests in *.integration.test.ts and
// *.long.test.ts, which start other programs, run operators against a server, or put a server under load.
import { sep } from 'node:path';
import { showHelp } from './help.mjs';
import { runTests, testFiles } from './run-tests.mjs';
import { setUp } from './setup.mjs';
import { runOnSave } from './watch.mjs';

showHelp(`npm run test:unit [-- [--watch] PATTERN …]

Runs the unit tests of all packages, or the unit tests whose path contains one of the patterns.

Options:
  --watch     run the tests again whenever a file is saved
  -h, --help  print this help`);

const args = process.argv.slice(2);
const patterns = args.filter((arg) => arg !== '--watch');
if (args.includes('--watch')) runOnSave(run);
else process.exitCode = run();

function run() {
  setUp();
  const chosen = testFiles(
    (path) =>
      ['packages', 'create-operator'].some((folder) => path.startsWith(folder + sep)) &&
      !/\.(integration|long)\.test\.ts$/.test(path) &&
      (patterns.length === 0 || patterns.some((pattern) => path.includes(pattern))),
  );
  if (chosen.length > 0) return runTests(chosen, { results: 'unit' });
  console.error(`no path of a unit test contains ${patterns.join(' or ')}`);
  return 1;
}
