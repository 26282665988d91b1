// npm run test:scaffold [-- --keep] [--with=yarn]: publishes all packages to a registry on this machine, and runs the steps of a new user:
// creates a project with npm create operator, tests it, runs it with dev, and deploys it to a real control plane. Skips the deployment if
// Go, which builds the control plane, is not installed. Also creates projects with pnpm, pnpm 9, bun, and the package managers in --with.
// Yarn requires a registry with the packages of all platforms. Prints the duration of each step.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildControlPlane } from './build-control-plane.mjs';
import { showHelp } from './help.mjs';
import { packInto } from './published-packages.mjs';
import { root, setUp } from './setup.mjs';
import { removeResults, resultsFile } from './test-results.mjs';

showHelp(`npm run test:scaffold [-- --keep] [-- --with=NAME,…]

Publishes all packages to a registry on this machine and runs the steps of a new user: creates projects, develops, tests, builds and
deploys. Prints the duration of each step.

Options:
  --keep       keep the folder of the run
  --with=NAME  also test these package managers, such as yarn
  -h, --help   print this help`);

setUp();
const results = resultsFile('scaffold');
mkdirSync(dirname(results), { recursive: true });
removeResults('scaffold');
const controlPlane = buildControlPlane();
const folder = mkdtempSync(join(tmpdir(), 'kubewright-packed-'));
try {
  const tarballs = (await packInto(folder)).map(({ name, filename }) => ({ name, path: join(folder, filename) }));
  const request = {
    upstream: { registry: npmSetting('registry'), cafile: npmSetting('cafile'), proxy: npmSetting('https-proxy') },
    cache: npmSetting('cache'),
    tarballs,
    controlPlane: controlPlane !== undefined,
    packageManagers: [
      'pnpm',
      'pnpm@9',
      'bun',
      ...process.argv.flatMap((arg) => /^--with=(.+)/.exec(arg)?.[1].split(',') ?? []),
    ],
    kubebuilder: process.argv.flatMap((arg) => /^--kubebuilder=(.+)/.exec(arg)?.[1] ?? [])[0],
    results,
    keep: process.argv.includes('--keep'),
  };
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'test', 'dist', 'scaffold', 'published', 'try-published.js'), JSON.stringify(request)],
    { stdio: 'inherit', env: { ...process.env, ...(controlPlane && { KUBEWRIGHT_CONTROL_PLANE: controlPlane }) } },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the value of an npm setting on this machine; undefined if the setting has no value. */
function npmSetting(name) {
  const { stdout } = spawnSync('npm', ['config', 'get', name], { encoding: 'utf8' });
  const value = stdout.trim();
  return value === '' || value === 'null' || value === 'undefined' ? undefined : value;
}
