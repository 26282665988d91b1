import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OLDEST_NODE } from '../command/oldest-node.js';
import { isAtLeast } from '../command/version-order.js';
import { type ProgramOptions, type ProgramRun, runProgram } from '../project/run-program.js';
import { type Finding, ok, warning, wrong } from './finding.js';

/** Package managers by their lock file. */
const PACKAGE_MANAGERS: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
};
const ENGINES = ['docker', 'podman', 'nerdctl'];

/** The environment in which programs are searched. */
export type Surroundings = Pick<ProgramOptions, 'cwd' | 'env' | 'signal'>;

/** Checks the version of Node.js. */
export function checkNode(version: string = process.versions.node): Finding {
  if (isAtLeast(version, OLDEST_NODE)) return ok('node', `Node.js ${version}`);
  return wrong('node', `Node.js ${version} is too old`, `install Node.js ${OLDEST_NODE} or newer`);
}

/** Checks the package manager of the folder. */
export async function checkPackageManager(surroundings: Surroundings): Promise<Finding> {
  const lock = Object.keys(PACKAGE_MANAGERS).find((file) => existsSync(join(surroundings.cwd, file)));
  const name = lock === undefined ? 'npm' : (PACKAGE_MANAGERS[lock] ?? 'npm');
  const run = await attempt(name, ['--version'], surroundings);
  if (run?.exitCode === 0) return ok('package-manager', `${name} ${run.stdout.trim()}`);
  return warning('package-manager', `${name} cannot be run`, `install ${name}, or put it into the PATH`);
}

/** Checks kubectl, which Kubewright does not need but users do. */
export async function checkKubectl(surroundings: Surroundings): Promise<Finding> {
  const run = await attempt('kubectl', ['version', '--client'], surroundings);
  const [, version] = /Client Version: v?(\S+)/.exec(run?.stdout ?? '') ?? [];
  if (run?.exitCode === 0) return ok('kubectl', `kubectl ${version ?? ''}`.trim());
  return warning(
    'kubectl',
    'kubectl cannot be run',
    "install kubectl to look at clusters and to 'kubectl apply -k config/default'",
  );
}

/** Checks the container engine. */
export async function checkContainerEngine(surroundings: Surroundings): Promise<Finding> {
  const silent: string[] = [];
  for (const name of ENGINES) {
    const run = await attempt(name, ['version', '--format', '{{.Server.Version}}'], surroundings);
    if (run?.exitCode === 0) return ok('container-engine', `${name} ${run.stdout.trim()}`);
    if (run !== undefined) silent.push(name);
  }
  if (silent.length > 0) {
    return warning(
      'container-engine',
      `${silent.join(' and ')} is there, and its engine does not answer`,
      `start the engine of ${silent[0]}`,
    );
  }
  return warning(
    'container-engine',
    `there is no ${ENGINES.join(', ')}`,
    'install one to build images, or build them in CI',
  );
}

/** Returns undefined if the program cannot be run. */
async function attempt(
  command: string,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<ProgramRun | undefined> {
  try {
    return await runProgram(command, args, surroundings);
  } catch {
    surroundings.signal?.throwIfAborted();
    return undefined;
  }
}
