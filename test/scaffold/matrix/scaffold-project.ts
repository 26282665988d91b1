import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandContext, runCommandLine } from '@kubewright/cli';

/** The root of the repository. */
export const repository = fileURLToPath(new URL('../../../../', import.meta.url));

/** Folders that do not belong to a project because they contain build output or installed packages. */
const NOT_OWN = new Set(['dist', 'node_modules']);

/** A project in its own folder, with the packages of the repository. */
export class ScaffoldProject implements AsyncDisposable {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** Creates a project with the command lines that a user would type. */
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

  /** Runs a command line in the folder of the project. Throws an error with the output if the command fails. */
  async call(...args: readonly string[]): Promise<string> {
    const written: string[] = [];
    const stream = { write: (text: string) => written.push(text) };
    const context = new CommandContext({ cwd: this.root, env: process.env, stdout: stream, stderr: stream });
    const exitCode = await runCommandLine(args, context);
    if (exitCode === 0) return written.join('');
    throw new Error(`kubewright ${args.join(' ')} ended with ${exitCode}:\n${written.join('')}`);
  }

  /** Runs the compiled tests of the project, like `npm test`. Throws an error with their output if a test fails. */
  async test(): Promise<void> {
    const env = { ...process.env };
    // With this variable, Node.js would treat these tests as part of the current test.
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
    if (code !== 0 || !/^# pass [1-9]/m.test(output))
      throw new Error(`the tests of the project ended with ${code}:\n${output}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true });
  }
}

/** Returns the files of a project by path, sorted. */
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
