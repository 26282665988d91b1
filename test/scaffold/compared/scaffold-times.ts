import { cp, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { type Condition, isConditionTrue } from '@kubewright/api';
import { isNotFound } from '@kubewright/api/errors';
import type { Connection } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import { ControlPlaneBinaries, TestEnvironment } from '@kubewright/testing';
import { connectionOf } from '../published/readiness.js';
import { StepProgram } from '../published/step-programs.js';
import type { Steps } from '../published/steps.js';
import { kubebuilderProject } from './kubebuilder-project.js';
import { ANSWERS, editSample, WRITTEN } from './kubewright-project.js';

/** Options of the timed workflows. */
export interface ScaffoldTimeOptions {
  /** The folder for all files. */
  readonly folder: string;
  /** The environment in which npm finds the packages of Kubewright. */
  readonly env: NodeJS.ProcessEnv;
  /** A kubebuilder repository, in which kubebuilder is built. */
  readonly repository: string;
}

/** The time from an empty folder to the first converged object, in seconds. */
export interface ScaffoldTimes {
  readonly kubebuilder: number;
  readonly kubewright: number;
}

const SAMPLE = '/apis/cache.example.com/v1alpha1/namespaces/default/memcacheds/memcached-sample';
const PROJECT = 'memcached-operator';

/**
 * Measures the time from an empty folder to a converged Memcached, with kubebuilder and with Kubewright. Runs the commands on the page and
 * copies the files that an author writes. Caches are warm, because each project is created and built once before the measurement.
 */
export async function timeScaffolds(options: ScaffoldTimeOptions, steps: Steps): Promise<ScaffoldTimes> {
  const { folder, env } = options;
  const programs = join(folder, 'programs');
  await mkdir(programs);
  const kubectl = ControlPlaneBinaries.find()?.path('kubectl');
  if (kubectl === undefined) throw new Error('the steps of kubebuilder require a control plane');
  await run('go', ['build', '-o', join(programs, 'kubebuilder'), '.'], { cwd: options.repository, env });
  const path = [programs, dirname(kubectl), env['PATH']].join(delimiter);
  // Process times are not recorded, because the hook measures only Node.js processes, and kubebuilder is a Go program.
  const { NODE_OPTIONS: _hook, KUBEWRIGHT_PROCESS_TIMES: _times, ...plain } = env;
  const theirs = { ...options, env: { ...plain, PATH: path } };
  await steps.step('kubebuilder: warm the caches', () => warmCaches(theirs));
  await steps.step('Kubewright: warm the caches', () => makeOurProject(join(folder, 'warm-npm'), env));
  await steps.step('kubebuilder: the first object', (reached) => kubebuilderSteps(theirs, reached));
  await steps.step('Kubewright: the first object', (reached) => kubewrightSteps(options, reached));
  const [kubebuilder = Number.NaN, kubewright = Number.NaN] = steps.times.slice(-2).map(({ seconds }) => seconds);
  return { kubebuilder, kubewright };
}

async function warmCaches({ folder, env, repository }: ScaffoldTimeOptions): Promise<void> {
  const project = join(folder, 'warm', PROJECT);
  await makeKubebuilderProject(project, repository, env);
  await run('make', ['build', 'kustomize'], { cwd: project, env });
}

async function kubebuilderSteps({ folder, env, repository }: ScaffoldTimeOptions, reached: () => void): Promise<void> {
  const project = join(folder, 'kubebuilder', PROJECT);
  await makeKubebuilderProject(project, repository, env);
  // Starts a control plane, because a kind cluster takes longer to start.
  await using cluster = await TestEnvironment.start({ server: 'control-plane' });
  const kubeconfig = join(folder, 'kubeconfig');
  await cluster.writeKubeconfig(kubeconfig);
  const settings = { cwd: project, env: { ...env, KUBECONFIG: kubeconfig } };
  await run('make', ['install'], settings);
  await using operator = new StepProgram('make', ['run'], settings);
  await run('kubectl', ['apply', '-k', 'config/samples'], settings);
  await untilAvailable(operator, () => Promise.resolve(cluster.connection));
  reached();
}

async function makeKubebuilderProject(project: string, repository: string, env: NodeJS.ProcessEnv): Promise<void> {
  await mkdir(project, { recursive: true });
  const settings = { cwd: project, env };
  await run('kubebuilder', ['init', '--domain=example.com', '--repo=example.com/memcached'], settings);
  const kind = ['--group', 'cache', '--version', 'v1alpha1', '--kind', 'Memcached', '--resource', '--controller'];
  await run('kubebuilder', ['create', 'api', ...kind], settings);
  for (const [path, text] of kubebuilderProject(repository).finished) {
    if (/^(api|internal|config\/samples)\//.test(path)) await writeFile(join(project, path), text);
  }
}

async function kubewrightSteps({ folder, env }: ScaffoldTimeOptions, reached: () => void): Promise<void> {
  const project = await makeOurProject(join(folder, 'kubewright'), env);
  await using operator = new StepProgram('npm', ['run', 'dev'], { cwd: project, env });
  await untilAvailable(operator, () => connectionOf(join(project, '.kubewright', 'kubeconfig')));
  reached();
  await operator.interrupt();
}

async function makeOurProject(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  await mkdir(folder);
  await run('npm', ['create', 'operator@latest', PROJECT, '--', ...ANSWERS, '--yes'], { cwd: folder, env });
  const project = join(folder, PROJECT);
  await cp(join(WRITTEN, 'src'), join(project, 'src'), { recursive: true });
  await editSample(project);
  return project;
}

async function run(command: string, args: readonly string[], settings: { cwd: string; env: NodeJS.ProcessEnv }) {
  await new StepProgram(command, args, settings).done();
}

/** Waits until the sample has converged while the operator runs. The server may not run yet. */
async function untilAvailable(operator: StepProgram, connect: () => Promise<Connection | undefined>): Promise<void> {
  let transport: Transport | undefined;
  try {
    await operator.until('the sample is available', async () => {
      const connection = transport === undefined ? await connect() : undefined;
      if (connection !== undefined) transport = new Transport(connection);
      return transport !== undefined && (await isAvailable(transport));
    });
  } finally {
    await transport?.close();
  }
}

async function isAvailable(transport: Transport): Promise<boolean> {
  try {
    const request = { method: 'GET', path: SAMPLE, attempted: `read ${SAMPLE}` } as const;
    const sample = await transport.request<{ readonly status?: { readonly conditions?: Condition[] } }>(request);
    return isConditionTrue(sample, 'Available');
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
