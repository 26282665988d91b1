import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandContext, runCommandLine } from '@kubewright/cli';

/** The root of the repository. */
export const repository = fileURLToPath(new URL('../../../../', import.meta.url));

/** What is not of a project but is made of it, or installed. */
const NOT_OWN = new Set(['dist', 'node_modules']);

/** A project in a folder of its own, with the packages of the repository. */
export class ScaffoldProject implements AsyncDisposable {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** Makes a project as a user would, by calls of the command line one after the other. */
  static async make(calls: readonly (readonly string[])[]): Promise<ScaffoldProject> {
    const project = new ScaffoldProject(await mkdtemp(join(tmpdir(), 'kubewright-scaffold-')));
    try {
      await symlink(join(repository, 'node_modules'), join(project.root, 'node_modules'));
      for (const call of calls) await project.call(...call);
      return project;
    } catch (error) {
      await project[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Calls the command line in the folder of the project. Throws with what it wrote where it did not end well. */
  async call(...args: readonly string[]): Promise<string> {
    const written: string[] = [];
    const stream = { write: (text: string) => written.push(text) };
    const context = new CommandContext({ cwd: this.root, env: process.env, stdout: stream, stderr: stream });
    const exitCode = await runCommandLine(args, context);
    if (exitCode === 0) return written.join('');
    throw new Error(`kubewright ${args.join(' ')} ended with ${exitCode}:\n${written.join('')}`);
  }

  /** Runs its own tests as `npm test` does, of what is compiled. Throws with what they wrote where one of them fails. */
  async test(): Promise<void> {
    const env = { ...process.env };
    // Node.js would take these tests for a part of the one that runs them.
    delete env['NODE_TEST_CONTEXT'];
    const child = spawn(process.execPath, ['--enable-source-maps', '--test', '--test-reporter=tap'], {
      cwd: join(this.root, 'dist'),
      env,
    });
    const written: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => written.push(text));
    }
    const [code] = (await once(child, 'close')) as [number | null];
    const output = written.join('');
    if (code !== 0 || !/^# pass [1-9]/m.test(output)) throw new Error(`its tests ended with ${code}:\n${output}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true });
  }
}

/** The files of a project by their path, sorted. */
export async function filesIn(root: string): Promise<ReadonlyMap<string, string>> {
  const paths = await pathsIn(root, root);
  const entries = paths.toSorted().map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const);
  return new Map(await Promise.all(entries));
}

async function pathsIn(root: string, folder: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (NOT_OWN.has(entry.name)) continue;
    if (entry.isDirectory()) paths.push(...(await pathsIn(root, path)));
    else paths.push(relative(root, path).split(sep).join('/'));
  }
  return paths;
}
