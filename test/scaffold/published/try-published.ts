// Publishes packed packages to a registry on this machine. Then follows the workflow of a new user, from an empty folder to an operator in
// a cluster. Called by scripts/test-scaffold.mjs with a `Request` as a JSON document.
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ControlPlaneBinaries } from '@kubewright/testing';
import { type ScaffoldTimes, timeScaffolds } from '../compared/scaffold-times.js';
import { createFromClone } from './created-from-clone.js';
import { deployAndRun } from './deployed-operator.js';
import { developUntilReady } from './developed-operator.js';
import { followPage } from './followed-page.js';
import { LocalRegistry, type Upstream } from './local-registry.js';
import { StepProgram } from './step-programs.js';
import { tryPackageManager } from './package-managers.js';
import { line, Steps } from './steps.js';

/** The options of a run. */
interface Request {
  readonly upstream: Upstream;
  /** The npm download cache. */
  readonly cache: string;
  readonly tarballs: readonly { readonly name: string; readonly path: string }[];
  /** Whether a control plane for the deployment is available. */
  readonly controlPlane: boolean;
  /** Additional package managers to try. */
  readonly packageManagers: readonly string[];
  /**
   * A kubebuilder repository. If set, the run only measures the workflows of kubebuilder and Kubewright to the first converged object.
   * @default none
   */
  readonly kubebuilder?: string;
  /** The path of the file to which the results are written. */
  readonly results: string;
  /** Whether the folder of the run remains after the run. @default false */
  readonly keep?: boolean;
}

const PROJECT = 'my-operator';
const request = JSON.parse(process.argv[2] ?? '{}') as Request;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

const folder = await mkdtemp(join(tmpdir(), 'kubewright-scaffold-'));
const failures: { readonly name: string; readonly output: string }[] = [];
let times: ScaffoldTimes | undefined;
const skipped = request.controlPlane ? [] : ['no control plane is available for the deployment'];
const steps = new Steps(join(folder, 'process-times'), print);
try {
  await run();
} catch (error) {
  const output = error instanceof Error ? error.message : String(error);
  failures.push({ name: 'the steps of a new user', output });
  print(`FAILED: ${output}`);
} finally {
  if (request.keep === true) print(`left ${folder}`);
  else await rm(folder, { recursive: true, force: true });
}
await report();
process.exitCode = failures.length === 0 ? 0 : 1;

async function run(): Promise<void> {
  const { tarballs, upstream } = request;
  const names = tarballs.map(({ name }) => name);
  await using registry = await LocalRegistry.start(join(folder, 'registry'), names, upstream);
  const env = await environment(registry);
  const work = join(folder, 'work');
  await mkdir(work);
  const npm = (cwd: string, ...args: readonly string[]): Promise<string> =>
    new StepProgram('npm', args, { cwd, env }).done();

  await steps.step('publish the packages', async () => {
    await Promise.all(tarballs.map(({ path }) => npm(work, 'publish', path, '--no-provenance', '--loglevel=error')));
  });
  const { kubebuilder: repository } = request;
  if (repository !== undefined) {
    times = await timeScaffolds({ folder: await mkdtemp(join(folder, 'times-')), env, repository }, steps);
    return;
  }
  // This step also warms the package cache for the steps whose time counts.
  const page = join(folder, 'page');
  await mkdir(page);
  await follow('get-started.md', page, env, steps);
  await follow('first-operator.md', join(page, PROJECT), env, steps);
  await steps.step(
    'npm create operator@latest my-operator',
    () => npm(work, 'create', 'operator@latest', PROJECT, '--', '--yes'),
    {
      counts: true,
    },
  );
  const project = join(work, PROJECT);
  await checkPinned(project, names);
  await steps.step('npm install, without warnings', async () => {
    const output = await npm(project, 'install');
    if (/\bwarn\b/i.test(output)) throw new Error(`npm install warns:\n${output}`);
  });
  await steps.step('npm run dev, until the sample is ready', (reached) => developUntilReady(project, env, reached), {
    counts: true,
  });
  await steps.step('npm test', () => npm(project, 'test'));
  await steps.step('npm run explore, for 20 s', async () => {
    const output = await npm(project, 'run', 'explore', '--', '--budget', '20s');
    if (!/^found nothing in /m.test(output)) throw new Error(`npm run explore found problems:\n${output}`);
  });
  await steps.step('npm run generate -- --check', () => npm(project, 'run', 'generate', '--', '--check'));
  await steps.step('npx kubewright diff', () => npm(project, 'exec', 'kubewright', '--', 'diff'));
  await steps.step('npm run build', () => npm(project, 'run', 'build'));
  await checkClean(project, env);
  if (request.controlPlane) await deployAndRun(project, env, steps);
  await createFromClone(folder, unpublished(env), steps);
  for (const name of request.packageManagers) {
    if (!(await tryPackageManager(name, { folder, registry, env }, steps))) skipped.push(`${name} is not available`);
  }
}

/** Follows a guide exactly, in a folder. */
async function follow(name: string, folder: string, env: NodeJS.ProcessEnv, steps: Steps): Promise<void> {
  const kubectl = ControlPlaneBinaries.find()?.path('kubectl');
  await steps.step(`docs/guides/${name}, word for word`, () =>
    followPage(fileURLToPath(new URL(`../../../../docs/guides/${name}`, import.meta.url)), {
      folder,
      env: kubectl === undefined ? env : { ...env, PATH: `${dirname(kubectl)}${delimiter}${env['PATH']}` },
      kubectl: kubectl !== undefined,
    }),
  );
}

/** Returns the environment of a user at a terminal, without the variables of the current npm process. Packages come from the registry. */
async function environment(registry: LocalRegistry): Promise<NodeJS.ProcessEnv> {
  const cache = join(folder, 'cache');
  await mkdir(cache);
  await mkdir(join(request.cache, '_cacache'), { recursive: true });
  await symlink(join(request.cache, '_cacache'), join(cache, '_cacache'));
  const settings = join(folder, 'npmrc');
  await registry.writeSettings(settings);
  const hook = new URL('./process-times-hook.js', import.meta.url).href;
  const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|KUBE|NODE_OPTIONS$|CI$)/i.test(name));
  return {
    ...Object.fromEntries(inherited),
    npm_config_userconfig: settings,
    npm_config_cache: cache,
    npm_config_yes: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    ...(request.upstream.cafile && { npm_config_cafile: request.upstream.cafile }),
    GIT_AUTHOR_NAME: 'somebody',
    GIT_AUTHOR_EMAIL: 'somebody@example.com',
    GIT_COMMITTER_NAME: 'somebody',
    GIT_COMMITTER_EMAIL: 'somebody@example.com',
    NODE_OPTIONS: `--import=${hook}`,
    KUBEWRIGHT_PROCESS_TIMES: join(folder, 'process-times'),
  };
}

/** Returns the environment with the npm registry of this machine, which does not contain the packages of Kubewright. */
function unpublished(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { npm_config_userconfig: _settings, ...others } = env;
  return { ...others, npm_config_registry: request.upstream.registry };
}

/** Checks that the installed packages are the published packages, in real folders outside of the repository. */
async function checkPinned(project: string, names: readonly string[]): Promise<void> {
  const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly link?: boolean }>>;
  };
  const links = Object.entries(lock.packages).filter(([, { link }]) => link === true);
  if (links.length > 0) throw new Error(`packages are linked: ${links.map(([path]) => path).join(', ')}`);
  const ours = names.filter((name) => name.startsWith('@'));
  const installed = await readdir(join(project, 'node_modules', '@kubewright'));
  const missing = ours.filter((name) => !installed.includes(name.split('/')[1] ?? ''));
  if (missing.length > 0) throw new Error(`not installed: ${missing.join(', ')}`);
}

/** Checks that git has nothing to commit after the first commit. */
async function checkClean(project: string, env: NodeJS.ProcessEnv): Promise<void> {
  const changed = await new StepProgram('git', ['status', '--porcelain'], { cwd: project, env }).done();
  if (changed !== '') throw new Error(`the steps leave uncommitted changes:\n${changed}`);
}

async function report(): Promise<void> {
  const { first } = steps;
  if (failures.length === 0 && times === undefined) print(line(first));
  for (const reason of skipped) print(`  skipped: ${reason}`);
  const counts = { passed: steps.times.length, failed: failures.length, skipped: skipped.length };
  await writeFile(
    request.results,
    JSON.stringify({ counts, skipped, steps: steps.times, first, times, failures }, null, 2),
  );
}
