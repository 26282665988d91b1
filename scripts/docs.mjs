// npm run docs [-- --serve]: builds the documentation site in docs/.vitepress/dist, or serves the pages on 127.0.0.1 and reloads them after
// changes. The first run installs the build tools in docs/node_modules. The build fails if there are warnings.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { showHelp } from './help.mjs';
import { npm, root } from './setup.mjs';

showHelp(`npm run docs [-- --serve]

Builds the documentation site in docs/.vitepress/dist.

Options:
  --serve     serve the pages on 127.0.0.1 and reload them after changes
  -h, --help  print this help`);

const docs = join(root, 'docs');
const vitepress = join(docs, 'node_modules', 'vitepress', 'bin', 'vitepress.js');

install();
process.exitCode = process.argv.includes('--serve') ? serve() : build();

function install() {
  const manifests = ['package.json', 'package-lock.json'].map((name) => readFileSync(join(docs, name), 'utf8'));
  const digest = createHash('sha256')
    .update(JSON.stringify([process.versions.node, manifests]))
    .digest('hex');
  const stamp = join(docs, 'node_modules', '.kubewright');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  console.error('docs: installing the dependencies of the site (npm install) …');
  const [command, ...prefix] = npm;
  const args = [...prefix, 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error'];
  const { status } = spawnSync(command, args, { cwd: docs, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
  writeFileSync(stamp, digest);
}

function serve() {
  const args = [vitepress, 'dev', docs, '--host', '127.0.0.1'];
  return spawnSync(process.execPath, args, { cwd: docs, stdio: 'inherit' }).status ?? 1;
}

function build() {
  rmSync(join(docs, '.vitepress', 'dist'), { recursive: true, force: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitepress, 'build', docs], {
    cwd: docs,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  const output = `${stdout}${stderr}`.trim();
  console.error(output);
  if (status !== 0) return status ?? 1;
  if (/warn|\(!\)/i.test(output)) {
    console.error('docs: the site was built with warnings; see the output above');
    return 1;
  }
  console.log(join('docs', '.vitepress', 'dist'));
  return 0;
}
