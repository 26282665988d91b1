import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findEngine } from '../build/container-engine.js';
import { OLDEST_NODE } from '../command/oldest-node.js';
import { isAtLeast } from '../command/version-order.js';
import { type ProgramOptions, type ProgramRun, runProgram } from '../project/run-program.js';
import { type Finding, ok, warning, wrong } from './finding.js';

/** The package managers other than npm, by the name of the lock file. */
const PACKAGE_MANAGERS: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
};

/** The folder, the environment variables, and the abort signal with which the checks run programs. */
export type ProgramEnvironment = Pick<ProgramOptions, 'cwd' | 'env' | 'signal'>;

/** Checks that the version of Node.js is supported. */
export function checkNode(version: string = process.versions.node): Finding {
  if (isAtLeast(version, OLDEST_NODE)) return ok('node', `Node.js ${version}`);
  return wrong('node', `Node.js ${version} is too old`, `install Node.js ${OLDEST_NODE} or newer`);
}

/** Checks that the package manager whose lock file is in the folder can be run; npm if there is no lock file. */
export async function checkPackageManager(environment: ProgramEnvironment): Promise<Finding> {
  const lock = Object.keys(PACKAGE_MANAGERS).find((file) => existsSync(join(environment.cwd, file)));
  const name = lock === undefined ? 'npm' : (PACKAGE_MANAGERS[lock] ?? 'npm');
  const run = await attempt(name, ['--version'], environment);
  if (run?.exitCode === 0) return ok('package-manager', `${name} ${run.stdout.trim()}`);
  return warning('package-manager', `cannot run ${name}`, `install ${name}, or add it to PATH`);
}

/** Checks that kubectl can be run. The result is only a warning, because Kubewright itself does not need kubectl. */
export async function checkKubectl(environment: ProgramEnvironment): Promise<Finding> {
  const run = await attempt('kubectl', ['version', '--client'], environment);
  const [, version] = /Client Version: v?(\S+)/.exec(run?.stdout ?? '') ?? [];
  if (run?.exitCode === 0) return ok('kubectl', `kubectl ${version ?? ''}`.trim());
  return warning(
    'kubectl',
    'cannot run kubectl',
    "install kubectl to inspect clusters and to run 'kubectl apply -k config/default'",
  );
}

/** Checks that `kubewright build --image` would find a container engine. */
export async function checkContainerEngine(environment: ProgramEnvironment): Promise<Finding> {
  const found = await findEngine(environment);
  if ('problem' in found) {
    const remedy = 'start or install a container engine to build images, or build the images in CI';
    return warning('container-engine', found.problem, remedy);
  }
  const run = await attempt(found.engine, ['--version'], environment);
  const [version = ''] = /\d+\.\d+[^\s,]*/.exec(run?.stdout ?? '') ?? [];
  return ok('container-engine', `${found.engine} ${version}`.trim());
}

/** Runs a program. Returns undefined if the program cannot be run. */
async function attempt(
  command: string,
  args: readonly string[],
  environment: ProgramEnvironment,
): Promise<ProgramRun | undefined> {
  try {
    return await runProgram(command, args, environment);
  } catch {
    environment.signal?.throwIfAborted();
    return undefined;
  }
}
