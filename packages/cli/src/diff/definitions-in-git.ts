import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import { type ProgramRun, runProgram } from '../project/run-program.js';
import { comparedDefinitions } from './compared-definitions.js';

const FOLDER = 'config/crd/bases';
const INSTEAD = 'compare with a folder of definitions (--against DIR) or with a cluster (--against cluster)';

/** The options of `definitionsInGit`. */
export interface GitOptions {
  /** The folder of the project: the root of the repository, or a subfolder. */
  readonly root: string;
  /** The environment variables. git is searched in PATH. */
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/**
 * Reads the definitions in config/crd/bases of a commit. Returns an empty list if the commit has no definitions.
 * @throws KubewrightError NO_DEFINITIONS if git is not installed, or if the repository or the commit does not exist; NOT_A_DEFINITION if a
 *   file is invalid
 */
export async function definitionsInGit(
  reference: string,
  options: GitOptions,
): Promise<readonly CustomResourceDefinition[]> {
  const git = (...args: readonly string[]): Promise<ProgramRun> => runGit(args, options);
  const inside = await git('rev-parse', '--is-inside-work-tree');
  if (inside.exitCode !== 0) throw missing(`${options.root} is not in a git repository; ${INSTEAD}`);
  const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${reference}^{commit}`);
  if (commit.exitCode !== 0) {
    const remedy =
      reference === 'HEAD'
        ? `commit the files of 'kubewright generate', or ${INSTEAD}`
        : `check 'git log' and 'git tag', fetch the commit, or ${INSTEAD}`;
    throw missing(`git does not have the commit ${reference}; ${remedy}`);
  }
  const hash = commit.stdout.trim();
  const listed = await git('ls-tree', '-r', '-z', '--name-only', hash, '--', FOLDER);
  const paths = listed.stdout.split('\0').filter((path) => /\.(ya?ml|json)$/.test(path) && !/kustomization/.test(path));
  const found: CustomResourceDefinition[] = [];
  for (const path of paths) {
    const { stdout } = await git('show', `${hash}:./${path}`);
    append(found, comparedDefinitions(stdout, `git:${reference} ${path}`));
  }
  return found;
}

async function runGit(args: readonly string[], { root, env, signal }: GitOptions): Promise<ProgramRun> {
  try {
    return await runProgram('git', args, { cwd: root, env, signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw missing(`cannot run git; install git, or ${INSTEAD}`, cause);
  }
}

function missing(why: string, cause?: unknown): KubewrightError {
  return new KubewrightError('NO_DEFINITIONS', `cannot find the previous definitions: ${why}`, { cause });
}
