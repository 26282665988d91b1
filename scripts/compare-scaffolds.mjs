// node scripts/compare-scaffolds.mjs [REPOSITORY-OF-KUBEBUILDER]: counts the files and lines of the same operator with kubebuilder and with
// Kubewright, and rewrites docs/reference/compared-with-kubebuilder.md. With a checkout of the kubebuilder repository, it also counts and
// times kubebuilder again, which takes a few minutes.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { resultsFile } from './test-results.mjs';
import { root, setUp } from './setup.mjs';

setUp();
const [given] = process.argv.slice(2);
const repository = given === undefined ? undefined : resolve(given);
const run = (program, ...args) => {
  const { status } = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};
if (repository !== undefined) run(join(root, 'scripts', 'test-scaffold.mjs'), `--kubebuilder=${repository}`);
const program = join(root, 'test', 'dist', 'scaffold', 'compared', 'write-comparison.js');
run(program, ...(repository === undefined ? [] : [repository, resultsFile('scaffold')]));
