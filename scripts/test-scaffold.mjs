// npm run test:scaffold [-- --keep] [--with=yarn]: publishes all packages to a registry on this machine, and runs the steps of a new user:
// creates a project with npm create operator, tests it, runs it with dev, and deploys it to a real control plane. Skips the deployment if
// Go, which builds the control plane, is not installed. Also creates projects with pnpm, pnpm 9, bun, and the package managers in --with.
// Yarn requires a registry with the packages of all platforms. Prints the duration of each step.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildControlPlane } from './build-control-plane.mjs';
import { cpuTimeMs } from './cpu-time.mjs';
import { describeTaken, earlierResults, takenLine } from './earlier-results.mjs';
import { showHelp } from './help.mjs';
import { packInto } from './published-packages.mjs';
import { root, setUp } from './setup.mjs';
import { testInputs } from './test-inputs.mjs';
import { readResults, removeResults, resultsFile, writeResults } from './test-results.mjs';

showHelp(`npm run test:scaffold [-- --keep] [-- --with=NAME,…]

Publishes all packages to a registry on this machine and runs the steps of a new user: creates projects, develops, tests, builds and
deploys. Prints the duration of each step.

Without options, takes the result from the results cache if all steps passed before and no file on which they depend has changed. Every
fourth run runs all steps.

Options:
  --keep       keep the folder of the run
  --with=NAME  also test these package managers, such as yarn
  -h, --help   print this help

Environment:
  KUBEWRIGHT_RERUN=1            run all steps
  KUBEWRIGHT_RESULTS_CACHE=DIR  the folder of the results cache (default: ~/.cache/kubewright/results)`);

const PROGRAM = 'test/scaffold/published/try-published.ts';

setUp();
const results = resultsFile('scaffold');
mkdirSync(dirname(results), { recursive: true });
removeResults('scaffold');
const controlPlane = buildControlPlane();
process.exitCode = await (process.argv.length > 2 ? runSteps() : runChangedSteps());

/** Runs the steps if an input has changed since they passed. Returns the exit code. */
async function runChangedSteps() {
  const { foldersOf } = testInputs();
  const values = [npmSetting('registry'), controlPlane && readFileSync(join(controlPlane, 'sources'), 'utf8')];
  const { taken, store } = earlierResults('scaffold', [[PROGRAM]], (files) => ({ isInput: foldersOf(files), values }));
  if (taken.length > 0) {
    const [{ record }] = taken;
    const earlier = describeTaken(taken, [], ({ counts }) => counts.passed);
    writeResults('scaffold', { ...record, earlier });
    console.log(takenLine('scaffold', earlier));
    return 0;
  }
  const status = await runSteps();
  const record = readResults('scaffold');
  // A step is also skipped if a package manager cannot be downloaded at the moment.
  const isGreen = status === 0 && record?.counts.failed === 0 && record.counts.skipped === 0;
  store([{ record, cpuMs: cpuTimeMs(), isGreen }]);
  return status;
}

/** Packs the packages, and runs the steps. Returns the exit code. */
async function runSteps() {
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
    return status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the value of an npm setting on this machine; undefined if the setting has no value. */
function npmSetting(name) {
  const { stdout } = spawnSync('npm', ['config', 'get', name], { encoding: 'utf8' });
  const value = stdout.trim();
  return value === '' || value === 'null' || value === 'undefined' ? undefined : value;
}
