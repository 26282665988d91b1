import { findProgram } from './find-program.js';
import { type ProgramOptions, runProgram } from './run-program.js';

/** Whether the folder could have a repository of its own: git is there, and it is in none yet. */
export async function canHaveRepository(options: ProgramOptions): Promise<boolean> {
  if ((await findProgram('git', options.env)) === undefined) return false;
  const { exitCode } = await git(['rev-parse', '--is-inside-work-tree'], options);
  return exitCode !== 0;
}

/**
 * Makes a repository of the folder with one commit on the branch main. Nobody is asked for a signature. What is not committed, since
 * git does not know whose it is, stands ready.
 */
export async function makeRepository(options: ProgramOptions): Promise<'committed' | 'staged' | 'none'> {
  // The name of the branch is an option of later versions only.
  const steps = [['init'], ['symbolic-ref', 'HEAD', 'refs/heads/main'], ['add', '--all']];
  for (const step of steps) {
    if ((await git(step, options)).exitCode !== 0) return 'none';
  }
  const commit = ['-c', 'commit.gpgsign=false', 'commit', '--no-verify', '--message', 'chore: create the operator'];
  return (await git(commit, options)).exitCode === 0 ? 'committed' : 'staged';
}

/** Without the variables by which a caller inside of a hook of git would name its own repository. */
function git(args: readonly string[], options: ProgramOptions): ReturnType<typeof runProgram> {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...env } = options.env;
  return runProgram('git', args, { ...options, env });
}
