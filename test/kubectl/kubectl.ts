import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ControlPlaneBinaries } from '@kubewright/testing';
import { programPath } from '../programs/program-path.js';

/** The output and exit code of kubectl. */
export interface Answer {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A kubectl binary for tests. */
export interface KubectlBinary {
  readonly name: string;
  /** The absolute path. */
  readonly path: string;
  /** The minor version of the matching Kubernetes release. */
  readonly minor: number;
}

/** The reason for skipping a test that needs kubectl if `kubectlBinaries` returns no kubectl. */
export const NO_KUBECTL = 'kubectl is neither on PATH nor part of a built control plane';

/** Returns every kubectl of this machine: the kubectl on PATH first, then the kubectl of a built control plane. */
export function kubectlBinaries(): readonly KubectlBinary[] {
  const built = ControlPlaneBinaries.find();
  const paths = [programPath('kubectl'), built?.has('kubectl') === true ? built.path('kubectl') : undefined];
  return paths.flatMap((path) => {
    if (path === undefined) return [];
    const { status, stdout } = spawnSync(path, ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
    if (status !== 0) return [];
    const { clientVersion } = JSON.parse(stdout) as { clientVersion: { minor: string; gitVersion: string } };
    const minor = Number.parseInt(clientVersion.minor, 10);
    return [{ name: `kubectl ${clientVersion.gitVersion}`, path, minor }];
  });
}

/** Runs one kubectl against one server, in a namespace. */
export class Kubectl {
  readonly binary: KubectlBinary;
  /** The namespace of every command; '' to use the namespaces of the objects. */
  readonly namespace: string;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(
    binary: KubectlBinary,
    options: { readonly kubeconfig: string; readonly home: string; readonly namespace: string },
  ) {
    this.binary = binary;
    this.namespace = options.namespace;
    const { PATH, GOGC } = process.env;
    this.#environment = { PATH, GOGC, HOME: options.home, KUBECONFIG: options.kubeconfig };
  }

  /** Runs a command until it ends. `input` is the standard input for `-f -`. */
  run(args: string, input?: string | object, environment: NodeJS.ProcessEnv = {}): Promise<Answer> {
    const child = this.#spawn(args, environment);
    const [out, err] = [collect(child.stdout), collect(child.stderr)];
    child.stdin?.end(typeof input === 'object' ? JSON.stringify(input) : (input ?? ''));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, out: out(), err: err() }));
    });
  }

  /** Runs a command until it ends and returns its output. Throws an error with all output if the command fails. */
  async ok(args: string, input?: string | object, environment?: NodeJS.ProcessEnv): Promise<string> {
    const { code, out, err } = await this.run(args, input, environment);
    if (code !== 0) throw new Error(`kubectl ${args} ended with ${code}:\n${out}${err}`);
    return out;
  }

  /** Runs a command that must fail and returns its standard error. Throws an error if the command succeeds. */
  async refused(args: string, input?: string | object): Promise<string> {
    const { code, out, err } = await this.run(args, input);
    if (code === 0) throw new Error(`kubectl ${args} did not fail:\n${out}${err}`);
    return err;
  }

  /** Yields the lines of a command that keeps running, such as `get -w`. Leaving the loop ends the command. */
  async *lines(args: string, environment: NodeJS.ProcessEnv = {}): AsyncGenerator<string> {
    const child = this.#spawn(args, environment);
    child.stdin?.end();
    try {
      if (child.stdout) yield* createInterface({ input: child.stdout });
    } finally {
      child.kill();
    }
  }

  #spawn(args: string, environment: NodeJS.ProcessEnv): ChildProcess {
    const words = [...(this.namespace === '' ? [] : ['--namespace', this.namespace]), ...splitWords(args)];
    return spawn(this.binary.path, words, { env: { ...this.#environment, ...environment } });
  }
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
/** Splits words at spaces. Text in single quotes stays together, and the quotes are removed. */
function splitWords(args: string): readonly string[] {
  return (args.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", ''));
}
