import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ControlPlaneBinaries } from '@kubewright/testing';
import { programPath } from '../programs/program-path.js';

/** What kubectl printed, and how it ended. */
export interface Answer {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A kubectl to test with. */
export interface KubectlBinary {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** The minor version of Kubernetes that it belongs to. */
  readonly minor: number;
}

/** Why a test that needs a kubectl is skipped if `kubectlBinaries` finds none. */
export const NO_KUBECTL = 'there is no kubectl on PATH and none of a built control plane';

/** Returns every kubectl of this machine: the one on PATH first, then the one of a built control plane. */
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

/** Drives one kubectl against one server, in a namespace. */
export class Kubectl {
  readonly binary: KubectlBinary;
  /** Of every command; '' leaves it to the objects. */
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

  /** Runs to the end; `input` is what `-f -` reads. */
  run(args: string, input?: string | object, environment: NodeJS.ProcessEnv = {}): Promise<Answer> {
    const child = this.#spawn(args, environment);
    const [out, err] = [collect(child.stdout), collect(child.stderr)];
    child.stdin?.end(typeof input === 'object' ? JSON.stringify(input) : (input ?? ''));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, out: out(), err: err() }));
    });
  }

  /** Runs to the end and gives what it printed; an error with everything it said when it failed. */
  async ok(args: string, input?: string | object, environment?: NodeJS.ProcessEnv): Promise<string> {
    const { code, out, err } = await this.run(args, input, environment);
    if (code !== 0) throw new Error(`kubectl ${args} ended with ${code}:\n${out}${err}`);
    return out;
  }

  /** Runs to the end and gives what it complained of; an error when it did not fail. */
  async refused(args: string, input?: string | object): Promise<string> {
    const { code, out, err } = await this.run(args, input);
    if (code === 0) throw new Error(`kubectl ${args} did not fail:\n${out}${err}`);
    return err;
  }

  /** The lines of a command that goes on, such as `get -w`; leaving the loop ends it. */
  async *lines(args: string): AsyncGenerator<string> {
    const child = this.#spawn(args, {});
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
/** Words at spaces; what stands in single quotes is kept together, and the quotes go. */
function splitWords(args: string): readonly string[] {
  return (args.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", ''));
}
