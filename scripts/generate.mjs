// npm run generate [-- --check]: regenerates all generated files of the repository, including the manifests of the examples. With
// `--check`, writes no files and exits with 1 if a file is out of date.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { showHelp } from './help.mjs';
import { root, setUp } from './setup.mjs';

showHelp(`npm run generate [-- --check]

Writes all generated files of the repository, including the manifests of the examples.

Options:
  --check     write no files; exit with 1 if a file is out of date
  -h, --help  print this help`);

const args = process.argv.slice(2);
run(join(root, 'scripts', 'generate-built-ins.mjs'), root);
setUp();
for (const name of readdirSync(join(root, 'examples'))) {
  const folder = join(root, 'examples', name);
  if (isOperator(join(folder, 'package.json'))) run(join(root, 'packages/cli/dist/bin.js'), folder, 'generate');
}

function run(script, cwd, ...command) {
  const { status } = spawnSync(process.execPath, [script, ...command, ...args], { cwd, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
/** Reports whether a package.json has the key "kubewright". Manifests are generated only for such projects. */
function isOperator(path) {
  return existsSync(path) && 'kubewright' in JSON.parse(readFileSync(path, 'utf8'));
}
