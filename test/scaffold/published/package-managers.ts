import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import type { LocalRegistry } from './local-registry.js';
import { StepProgram } from './step-programs.js';
import type { Steps } from './steps.js';

/** Names of npm packages that differ from the name of their package manager. */
const PACKAGES: Readonly<Record<string, string>> = { yarn: '@yarnpkg/cli-dist' };

/** Options for trying a package manager. */
export interface Trial {
  /** The folder for all files. */
  readonly folder: string;
  readonly registry: LocalRegistry;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Creates a project with another package manager from the registry, and runs the CI commands of the project. Returns false if the package
 * manager is not available. @param name for example 'pnpm' or 'pnpm@9'
 */
export async function tryPackageManager(name: string, trial: Trial, steps: Steps): Promise<boolean> {
  const [manager = name] = name.split('@', 1);
  const own = join(trial.folder, name);
  await mkdir(own);
  const env = await environmentWith(name, own, trial);
  if (env === undefined) return false;
  const run = (cwd: string, command: string): Promise<string> => {
    const [program = '', ...args] = command.split(' ');
    return new StepProgram(program, args, { cwd, env }).done();
  };
  const project = join(own, 'my-operator');

  await steps.step(`${name}: a new project`, () =>
    run(own, `npm create operator@latest my-operator -- --yes --package-manager ${manager}`),
  );
  await steps.step(`${name}: the commands of the CI workflow`, async () => {
    for (const made of ['node_modules', 'dist']) await rm(join(project, made), { recursive: true });
    for (const command of await continuousIntegration(project)) await run(project, command);
  });
  const changed = await run(project, 'git status --porcelain');
  if (changed !== '') throw new Error(`${name} leaves uncommitted changes:\n${changed}`);
  return true;
}

/** Returns the commands in the CI workflow of a project, without the command that installs the package manager. */
async function continuousIntegration(project: string): Promise<readonly string[]> {
  const text = await readFile(join(project, '.github', 'workflows', 'ci.yml'), 'utf8');
  const { jobs } = parse(text) as { readonly jobs: { readonly test: { readonly steps: { readonly run?: string }[] } } };
  const commands = jobs.test.steps.flatMap(({ run }) => run ?? []);
  return commands.filter((command) => !/^(npm install --global|corepack) /.test(command));
}

/**
 * Installs the package manager on PATH and configures its registry. Each package manager has a separate home, because each has different
 * settings. No process times are recorded, because other programs would count as programs of Kubewright.
 */
async function environmentWith(name: string, own: string, trial: Trial): Promise<NodeJS.ProcessEnv | undefined> {
  const { NODE_OPTIONS: _hook, KUBEWRIGHT_PROCESS_TIMES: _times, ...env } = trial.env;
  const { registry } = trial;
  const home = join(own, 'home');
  await mkdir(home);
  await registry.writeSettings(join(home, '.npmrc'));
  // The first two settings let Yarn use a registry without TLS. The third setting lets Yarn install packages that were published today.
  const yarn = { npmRegistryServer: registry.url, unsafeHttpWhitelist: ['127.0.0.1'], npmMinimalAgeGate: 0 };
  await writeFile(join(home, '.yarnrc.yml'), JSON.stringify({ ...yarn, enableTelemetry: false }));
  const args = ['install', '--no-save', '--prefix', own, PACKAGES[name] ?? name];
  const [installed] = await Promise.allSettled([new StepProgram('npm', args, { cwd: own, env }).done()]);
  if (installed.status === 'rejected') return undefined;
  const path = [join(own, 'node_modules', '.bin'), env['PATH'] ?? ''].join(delimiter);
  return { ...env, HOME: home, PATH: path };
}
