// npm run test:affected [-- --since REVISION] [--watch]: runs the tests that changes since a revision can affect.
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { sep } from 'node:path';
import { affectedTests } from './affected-tests.mjs';
import { showHelp } from './help.mjs';
import { runsElsewhere, runTests, testFiles } from './run-tests.mjs';
import { root, setUp } from './setup.mjs';
import { runOnSave } from './watch.mjs';

showHelp(`npm run test:affected [-- [--since REVISION] [--watch]]

Runs the tests that the changes of the working tree can break: changed tests, tests that import a changed file directly or indirectly, and
tests that read or run a changed file. Tests on a real control plane and checks do not run.

Options:
  --since REVISION  compare with this revision (default: HEAD, which selects uncommitted changes)
  --watch           run again whenever a file is saved
  -h, --help        print this help`);

const { values } = parseArgs({ options: { since: { type: 'string', default: 'HEAD' }, watch: { type: 'boolean' } } });
if (values.watch) runOnSave(run);
else process.exitCode = run();

function run() {
  setUp();
  const changed = [...git('diff', '--name-only', values.since), ...git('ls-files', '--others', '--exclude-standard')];
  const tests = testFiles((path) => !runsElsewhere(path)).map((path) => path.split(sep).join('/'));
  const chosen = affectedTests(changed, tests);
  console.log(`${changed.length} changed files affect ${chosen.length} of ${tests.length} test files`);
  return chosen.length === 0 ? 0 : runTests(chosen, { results: 'affected' });
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
}
