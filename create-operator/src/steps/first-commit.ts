import { findProgram } from './find-program.js';
import { type ProgramOptions, runProgram } from './run-program.js';

/** Reports whether a repository can be created in the folder: git is installed, and the folder is not inside a repository. */
export async function canHaveRepository(options: ProgramOptions): Promise<boolean> {
  if ((await findProgram('git', options.env)) === undefined) return false;
  const { exitCode } = await git(['rev-parse', '--is-inside-work-tree'], options);
  return exitCode !== 0;
}

/** The result of `makeRepository`. */
export type FirstCommit =
  | { readonly result: 'committed' }
  /** A step before the commit failed. */
  | { readonly result: 'none' }
  /** The commit failed, and the files stay staged. If `hasAuthor` is false, no author is configured. `output` is the output of git. */
  | { readonly result: 'staged'; readonly hasAuthor: boolean; readonly output: string };

/** Creates a repository in the folder, with one commit on the branch main. Does not sign the commit. */
export async function makeRepository(options: ProgramOptions): Promise<FirstCommit> {
  // Older versions of git have no option for the name of the branch.
  const steps = [['init'], ['symbolic-ref', 'HEAD', 'refs/heads/main'], ['add', '--all']];
  for (const step of steps) {
    if ((await git(step, options)).exitCode !== 0) return { result: 'none' };
  }
  const commit = ['-c', 'commit.gpgsign=false', 'commit', '--no-verify', '--message', 'chore: create the operator'];
  const { exitCode, output } = await git(commit, options);
  if (exitCode === 0) return { result: 'committed' };
  const author = await git(['var', 'GIT_AUTHOR_IDENT'], options);
  return { result: 'staged', hasAuthor: author.exitCode === 0, output: output.trim() };
}

/** Runs git without the variables that select a repository. A git hook sets these variables for the programs that it calls. */
function git(args: readonly string[], options: ProgramOptions): ReturnType<typeof runProgram> {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...env } = options.env;
  return runProgram('git', args, { ...options, env });
}
