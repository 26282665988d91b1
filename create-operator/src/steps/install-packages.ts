import { packageManagers } from '../scaffold/package-managers.js';
import type { PackageManager } from '../scaffold/scaffold-options.js';
import { ScaffoldError } from '../scaffold-error.js';
import { hasProgram } from './find-program.js';
import { type ProgramOptions, runProgram } from './run-program.js';

/** Throws INSTALL_FAILED where there is no such package manager on this machine: call it before anything is written. */
export async function checkPackageManager(manager: PackageManager, env: NodeJS.ProcessEnv): Promise<void> {
  if (await hasProgram(manager, env)) return;
  throw new ScaffoldError(
    'INSTALL_FAILED',
    `cannot make a project with ${manager}: there is no such program on the PATH; install it, name another one with --package-manager, or say --no-install`,
  );
}

/** Installs the packages of a project. Throws INSTALL_FAILED with the reason; the project stays. */
export async function installPackages(manager: PackageManager, options: ProgramOptions): Promise<void> {
  const { exitCode, output } = await runProgram(manager, packageManagers[manager].install, options);
  if (exitCode === 0) return;
  throw new ScaffoldError('INSTALL_FAILED', `${manager} could not install the packages: ${reasonIn(output)}`);
}

/** The lines in which a package manager says what was wrong, without its marks. */
function reasonIn(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^(npm error|npm ERR!|error|ERR_PNPM_)\s*/i, '').trim())
    .filter((line) => line !== '' && !/complete log of this run|\.log$/i.test(line));
  return lines.length === 0 ? 'it said nothing' : lines.slice(0, 4).join('; ');
}
