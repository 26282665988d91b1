// node scripts/compare-scaffolds.mjs [REPOSITORY-OF-KUBEBUILDER]: counts the files and lines of the same operator in kubebuilder and in
// Kubewright, and updates docs/reference/compared-with-kubebuilder.md. Without an argument, uses the recorded numbers of kubebuilder. With
// the path of a kubebuilder checkout, measures kubebuilder again, which takes a few minutes.
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
