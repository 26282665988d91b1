// npm run check: runs all static checks: format, lint, types, prose, generated files, architecture, contents of the published packages, and
// the build of the documentation site. Continues after a failed check. The last line contains the numbers of passed and failed checks.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { showHelp } from './help.mjs';
import { root, setUp } from './setup.mjs';
import { writeResults } from './test-results.mjs';

showHelp(`npm run check

Checks format, lint, types, prose, generated files, architecture, packages and the documentation site. Runs all checks, and prints the
numbers of passed and failed checks in the last line.

Options:
  -h, --help  print this help`);

setUp();
const bin = (name) => join(root, 'node_modules', '.bin', name);
const checks = [
  ['format', bin('biome'), ['format', '.']],
  ['lint', bin('oxlint'), ['--type-aware', '--deny-warnings', '.']],
  ['types', process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', root]],
  ['prose', process.execPath, [join(root, 'scripts', 'prose.mjs')]],
  ['generated files', process.execPath, [join(root, 'scripts', 'generate.mjs'), '--check']],
  [
    'architecture',
    process.execPath,
    ['--test', '--test-reporter=dot', join(root, 'test', 'dist', 'architecture', 'architecture.test.js')],
  ],
  ['packages', process.execPath, [join(root, 'scripts', 'release.mjs'), '--dry-run']],
  ['site', process.execPath, [join(root, 'scripts', 'docs.mjs')]],
];
/** The time limit of each check in milliseconds. A check that takes longer is terminated and counts as failed. */
const limitMs = 10 * 60_000;
const failed = [];
for (const [name, command, args] of checks) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    timeout: limitMs,
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`check: ${name} ${status === 0 ? 'passed' : 'FAILED'} (${seconds} s)`);
  if (status === 0 && name !== 'packages') continue;
  const output = `${stdout}${stderr}`.trim();
  if (status !== 0) failed.push({ name, output });
  console.log(output);
}
writeResults('check', { counts: { passed: checks.length - failed.length, failed: failed.length }, failures: failed });
console.log(`${checks.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
