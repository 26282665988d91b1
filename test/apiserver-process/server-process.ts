import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { KubeConfig } from '@kubernetes/client-node';

const program = fileURLToPath(new URL('../../../packages/apiserver/dist/command/main.js', import.meta.url));

/** The exit code and the output of a program that has ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A response, or undefined if the connection broke before the response. */
export type Answered = { readonly status: number; readonly body: Json } | undefined;

/** The JSON of an object or a list, with the fields that the tests read. */
export type Json = Readonly<Record<string, unknown>> & {
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string; readonly resourceVersion: string };
  readonly data: Readonly<Record<string, string>>;
  readonly items: readonly Json[];
};

/** Runs the command until it ends. */
export async function runToEnd(args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  return ended(child);
}

/** Runs the command in its own process, with a client that only uses the kubeconfig of the command. */
export class ServerProcess implements AsyncDisposable {
  readonly pid: number;
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ended>;
  /** The line that the process prints when it is ready. */
  readonly ready: string;
  readonly #child: ChildProcess;
  #agent = new Agent({ keepAlive: true });

  private constructor(
    child: ChildProcess,
    { ready, ending }: { readonly ready: string; readonly ending: Promise<Ended> },
  ) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    this.ready = ready;
    this.ended = ending;
  }

  /**
   * Starts the command and waits until it is ready. `wrapped` runs the command in a shell, after the given shell commands and `exec`; `env`
   * adds variables.
   */
  static async start(
    args: readonly string[],
    { wrapped, env }: { readonly wrapped?: string; readonly env?: NodeJS.ProcessEnv } = {},
  ): Promise<ServerProcess> {
    const command = [process.execPath, program, ...args];
    const [file = '', ...rest] =
      wrapped === undefined ? command : ['bash', '-c', `${wrapped}; exec "$@"`, 'bash', ...command];
    const child = spawn(file, rest, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    const ending = ended(child);
    const ready = await Promise.race([lineOf(child, /^kubewright-apiserver: ready .*$/m), ending]);
    if (typeof ready !== 'string') throw new Error(`the server did not start: ${ready.err}`);
    return new ServerProcess(child, { ready, ending });
  }

  /** Path of the kubeconfig in the ready line. */
  get kubeconfig(): string {
    const [, word = ''] = /--kubeconfig (.+) get namespaces$/.exec(this.ready) ?? [];
    return word.replaceAll("'", '');
  }

  /** Sends a request with the credentials of a kubeconfig. @default the kubeconfig of this server */
  async send(method: string, path: string, body?: object, kubeconfig = this.kubeconfig): Promise<Answered> {
    try {
      const answer = await this.#open(method, path, { body, kubeconfig });
      let text = '';
      for await (const chunk of answer.setEncoding('utf8')) text += String(chunk);
      return { status: answer.statusCode ?? 0, body: JSON.parse(text) as Json };
    } catch (error) {
      if (error instanceof SyntaxError || isBroken(error)) return undefined;
      throw error;
    }
  }

  /** Yields the events of a watch until the connection breaks. */
  async *watch(path: string): AsyncGenerator<{ readonly type: string; readonly object: Json }> {
    try {
      const answer = await this.#open('GET', path, { kubeconfig: this.kubeconfig });
      let rest = '';
      for await (const chunk of answer.setEncoding('utf8')) {
        const lines = (rest + String(chunk)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) yield JSON.parse(line) as { readonly type: string; readonly object: Json };
      }
    } catch (error) {
      if (!isBroken(error)) throw error;
    }
  }

  /** Waits for the first line of the standard error that matches. Rejects if the process ends before that. */
  untilPrinted(desired: RegExp): Promise<string> {
    const ended = this.ended.then(({ err }) =>
      Promise.reject(new Error(`the server did not print ${desired}: ${err}`)),
    );
    return Promise.race([lineOf(this.#child, desired), ended]);
  }

  /** Kills the process with SIGKILL, as in a power failure, and waits until it has ended. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
    this.#agent.destroy();
  }

  async stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<Ended> {
    this.#child.kill(signal);
    const end = await this.ended;
    this.#agent.destroy();
    return end;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }

  #open(
    method: string,
    path: string,
    { body, kubeconfig }: { readonly body?: object | undefined; readonly kubeconfig: string },
  ): Promise<IncomingMessage> {
    const { server, ca, token } = credentials(kubeconfig);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const request = httpsRequest(`${server}${path}`, { method, ca, headers, agent: this.#agent }, resolve);
      request.on('error', reject);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

function credentials(path: string): { readonly server: string; readonly ca: string; readonly token: string } {
  const config = new KubeConfig();
  config.loadFromString(readFileSync(path, 'utf8'));
  const ca = Buffer.from(config.getCurrentCluster()?.caData ?? '', 'base64').toString();
  return { server: config.getCurrentCluster()?.server ?? '', ca, token: config.getCurrentUser()?.token ?? '' };
}

function isBroken(error: unknown): boolean {
  const { code } = error as { readonly code?: string };
  return ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(code ?? '');
}

/** Resolves with the first text of the standard error that matches. */
function lineOf(child: ChildProcess, desired: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let output = '';
    child.stderr?.on('data', (chunk: unknown) => {
      output += String(chunk);
      const found = desired.exec(output);
      if (found !== null && output.includes('\n')) resolve(found[0]);
    });
  });
}

async function ended(child: ChildProcess): Promise<Ended> {
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk: unknown) => {
    out += String(chunk);
  });
  child.stderr?.on('data', (chunk: unknown) => {
    err += String(chunk);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}
