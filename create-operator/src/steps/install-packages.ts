import { packageManagers } from '../scaffold/package-managers.js';
import type { PackageManager } from '../scaffold/scaffold-options.js';
import { ScaffoldError } from '../scaffold-error.js';
import { findProgram } from './find-program.js';
import { type ProgramOptions, runProgram } from './run-program.js';

/** Throws INSTALL_FAILED if the package manager is not installed. Call this function before you write any file. */
export async function checkPackageManager(manager: PackageManager, env: NodeJS.ProcessEnv): Promise<void> {
  if ((await findProgram(manager, env)) !== undefined) return;
  throw new ScaffoldError(
    'INSTALL_FAILED',
    `cannot create the project: ${manager} is not in PATH; install ${manager}, pass another program with --package-manager, or pass --no-install`,
  );
}

/** Installs the packages of a project. If this fails, throws INSTALL_FAILED with the reason and keeps the project. */
export async function installPackages(manager: PackageManager, options: ProgramOptions): Promise<void> {
  const { exitCode, output } = await runProgram(manager, packageManagers[manager].install, options);
  if (exitCode === 0) return;
  throw new ScaffoldError('INSTALL_FAILED', `${manager} cannot install the packages: ${reasonIn(output)}`);
}

/** Matches lines that do not state why an installation failed: progress, hints, stack traces, and the path of the log. */
const NOISE = /complete log of this run|\.log$|^(Progress:|info |at |➤ YN0000: [┌└])/i;
/** The maximum number of lines of the package manager's output in an error message. */
const REPORTED = 4;

/** Returns up to `REPORTED` lines in which a package manager reports an error, without their prefixes, separated by semicolons. */
function reasonIn(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^(npm error|npm ERR!|error|Error:|\u2717)\s*/i, '').trim())
    .filter((line) => line !== '' && !NOISE.test(line));
  const first = lines.findIndex((line) => /\bE[A-Z]{4,}\b|ERR|error/i.test(line));
  const from = Math.max(0, Math.min(first, lines.length - REPORTED));
  const reported = lines.slice(from, from + REPORTED);
  // The output of a crash can contain a complete program in one line.
  return (
    reported.map((line) => (line.length > 200 ? `${line.slice(0, 200)} …` : line)).join('; ') ||
    'the program printed nothing'
  );
}
