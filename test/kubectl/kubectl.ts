import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';

/** What kubectl printed, and how it ended. */
export interface Answer {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The reason why kubectl cannot be driven here, or false. */
export const kubectlIsMissing: string | false =
  spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0
    ? false
    : 'there is no kubectl on PATH';

/** Drives the kubectl on PATH against one server. */
export class Kubectl {
  readonly #environment: NodeJS.ProcessEnv;

  constructor(kubeconfig: string, cacheFolder: string) {
    this.#environment = { PATH: process.env.PATH, HOME: cacheFolder, KUBECONFIG: kubeconfig };
  }

  /** Runs to the end; `input` is what `-f -` reads. */
  run(args: string, input?: string | object): Promise<Answer> {
    const child = this.#spawn(args);
    const [out, err] = [collect(child.stdout), collect(child.stderr)];
    child.stdin?.end(typeof input === 'object' ? JSON.stringify(input) : (input ?? ''));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, out: out(), err: err() }));
    });
  }

  /** Runs to the end and gives what it printed; an error with everything it said when it failed. */
  async ok(args: string, input?: string | object): Promise<string> {
    const { code, out, err } = await this.run(args, input);
    if (code !== 0) throw new Error(`kubectl ${args} ended with ${code}:\n${out}${err}`);
    return out;
  }

  /** The lines of a command that goes on, such as `get -w`; leaving the loop ends it. */
  async *lines(args: string): AsyncGenerator<string> {
    const child = this.#spawn(args);
    child.stdin?.end();
    try {
      if (child.stdout) yield* createInterface({ input: child.stdout });
    } finally {
      child.kill();
    }
  }

  #spawn(args: string): ChildProcess {
    return spawn('kubectl', splitWords(args), { env: this.#environment });
  }
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
/** Words at spaces; what stands in single quotes is one word. */
function splitWords(args: string): readonly string[] {
  return [...args.matchAll(/'([^']*)'|[^\s']+/g)].map(([word, quoted]) => quoted ?? word);
}
