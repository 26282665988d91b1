import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandContext, runCommandLine, type CommandEnvironment } from '@kubewright/cli';
import { InProcessCommand } from './in-process-command.js';
import { reusedResults } from './reused-results.js';

/** The root folder of this repository. */
export const repository = fileURLToPath(new URL('../../../', import.meta.url));
/** The program that `npx kubewright` runs. */
export const KUBEWRIGHT = join(repository, 'packages', 'cli', 'dist', 'bin.js');

const PACKAGE = {
  name: 'foo-operator',
  private: true,
  type: 'module',
  kubewright: { domain: 'example.com' },
  dependencies: { '@kubewright/api': '*', '@kubewright/runtime': '*' },
};
const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    useDefineForClassFields: false,
    skipLibCheck: true,
    sourceMap: true,
    rootDir: 'src',
    outDir: 'dist',
    // The declarations of this library are two thirds of the files that the compiler would parse, and no fixture project uses them.
    paths: { '@kubernetes/client-node': ['./client-node.d.ts'] },
  },
  include: ['src'],
};
const CLIENT_NODE = 'export declare class KubeConfig {\n  readonly #brand;\n}\n';
const FOO = `import { CustomResource, Field, Kind } from '@kubewright/api';

export class FooSpec {
  /** The desired count. */
  @Field.int32({ minimum: 0 }) count!: number;
}
export class FooStatus {
  @Field.int32({ optional: true }) counted?: number;
}
/** An object with a count. */
@Kind({ group: 'example.com', version: 'v1' })
export class Foo extends CustomResource(FooSpec, FooStatus) {}
`;
const CONTROLLER = `import { ConfigMap } from '@kubewright/api/core/v1';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import { Foo } from '../api/v1/foo.js';

@Controller({ for: Foo, owns: [ConfigMap] })
export class FooController implements Reconciler<Foo> {
  constructor(private readonly client: Client) {}

  async reconcile(foo: Foo): Promise<Result> {
    await this.client.patchStatus(foo, { counted: foo.spec.count });
    return Result.done();
  }
}
`;
const MAIN = `import { Manager } from '@kubewright/runtime';
import { FooController } from './controllers/foo-controller.js';

const manager = new Manager({ leaderElection: 'foo-operator' });
manager.add(FooController);
await manager.start();
`;

/** The result of a command. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A small project in a temporary folder, with the packages of this repository installed. */
export class FixtureProject implements AsyncDisposable {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }
  /** @param files additional files, or replacements of the files of the project, by path */
  static async create(files: Readonly<Record<string, string>> = {}): Promise<FixtureProject> {
    const project = new FixtureProject(await realpath(await mkdtemp(join(tmpdir(), 'kubewright-project-'))));
    await symlink(join(repository, 'node_modules'), join(project.root, 'node_modules'));
    const all = {
      'package.json': JSON.stringify(PACKAGE),
      'tsconfig.json': JSON.stringify(TSCONFIG),
      'client-node.d.ts': CLIENT_NODE,
      'src/api/v1/foo.ts': FOO,
      'src/controllers/foo-controller.ts': CONTROLLER,
      'src/main.ts': MAIN,
      ...files,
    };
    for (const [path, text] of Object.entries(all)) await project.write(path, text);
    return project;
  }

  async write(path: string, text: string): Promise<void> {
    const file = join(this.root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  /** Replaces a text in a file. Throws if the file does not contain the text. */
  async edit(path: string, from: string, to: string): Promise<void> {
    const text = await this.read(path);
    if (!text.includes(from)) throw new Error(`cannot edit ${path}: the file does not contain the text: ${from}`);
    await this.write(path, text.replace(from, to));
  }
  read(path: string): Promise<string> {
    return readFile(join(this.root, path), 'utf8');
  }
  /** Returns the paths of the files in a folder, sorted. */
  async files(folder: string): Promise<readonly string[]> {
    const entries = await readdir(join(this.root, folder), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.root, join(entry.parentPath, entry.name)))
      .toSorted();
  }

  /** Starts the built command in the folder of the project. */
  start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    return spawn(process.execPath, [KUBEWRIGHT, ...args], {
      cwd: this.root,
      env: commandEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
  /**
   * Starts the command as `npm run` does, in a shell that forwards no signals. The first line of the output contains the process id of the
   * command.
   */
  startInShell(args: readonly string[]): ChildProcess {
    return spawn('sh', ['-c', '"$@" & echo "process $!"; wait', 'sh', process.execPath, KUBEWRIGHT, ...args], {
      cwd: this.root,
      env: commandEnvironment({ npm_lifecycle_event: 'dev' }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
  /** Starts the command in this process. `start` starts a separate process. */
  startHere(args: readonly string[], env: NodeJS.ProcessEnv = {}): InProcessCommand {
    return new InProcessCommand(args, { cwd: this.root, env: commandEnvironment(env) });
  }
  /**
   * Runs the command in this process, which has already loaded the modules of the command. If an earlier command of this process has
   * compiled and inspected the same contents, the command reuses the results. `runProcess` starts a separate process.
   */
  run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    return this.#run(args, { env, wrapTools: reusedResults.reusing });
  }
  /** Runs the command in this process like `run`, but always compiles and inspects the project instead of reusing results. */
  runWithoutReuse(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    return this.#run(args, { env, wrapTools: reusedResults.recording });
  }
  async #run(args: readonly string[], { env, ...more }: Pick<CommandEnvironment, 'env' | 'wrapTools'>): Promise<Ran> {
    const [stdout, stderr]: [string[], string[]] = [[], []];
    const context = new CommandContext({
      cwd: this.root,
      ...more,
      env: commandEnvironment(env),
      stdout: { write: (text) => stdout.push(text) },
      stderr: { write: (text) => stderr.push(text) },
    });
    const exitCode = await runCommandLine(args, context);
    return { exitCode, stdout: stdout.join(''), stderr: stderr.join('') };
  }
  /** Runs the built command in a separate process until it ends. */
  async runProcess(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    const child = this.start(args, env);
    const texts = [child.stdout, child.stderr].map(async (stream) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream ?? []) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString('utf8');
    });
    const [exitCode] = (await once(child, 'close')) as [number];
    const [stdout = '', stderr = ''] = await Promise.all(texts);
    return { exitCode, stdout, stderr };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.root, { recursive: true });
  }
}

/** Returns the environment of this process without the variables of the test runner. */
function commandEnvironment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined, ...more };
}
