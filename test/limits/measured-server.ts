import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import { fileURLToPath } from 'node:url';
import type { LimitCase, LimitRequest } from './limit-case.js';
import type { MeasuredProcessOptions, ServerReport } from './measured-process.js';
import { mostMs } from './most-ms.js';

const program = fileURLToPath(new URL('./measured-process.js', import.meta.url));

/** The cost of an operation for the server. */
export interface Cost {
  /** The longest processor time of the main thread in milliseconds in which the server served no other client. */
  readonly longestMs: number;
  /**
   * The processor time in milliseconds that a fixed amount of work currently takes on the machine. Undefined if the longest time is so
   * short that it is within the limit on every machine.
   */
  readonly calibrationMs?: number;
  /** The largest memory of the server outside of the heap in bytes. Buffers use such memory. */
  readonly externalBytes: number;
}

/** Options of a measured server. */
export interface MeasuredServerOptions {
  /** V8 options of the process, such as `--max-old-space-size=100`. @default none */
  readonly flags?: readonly string[];
  /** The number of events from which watches can resume. @default the default of the server */
  readonly eventLogSize?: number;
  /** The maximum memory of all objects in bytes. @default the default of the server */
  readonly storageQuotaBytes?: number;
  /** Whether the controllers of workloads run. @default false */
  readonly workloads?: boolean;
  /**
   * A measurement contains a calibration only if its longest time exceeds this number of milliseconds. A shorter time than the default can
   * only exceed the limit on a machine that is more than four times as fast as the reference machine. @default a quarter of `mostMs`
   */
  readonly calibratedFromMs?: number;
}

/** The status and the beginning of a response. */
export interface MeasuredAnswer {
  readonly status: number;
  readonly text: string;
}

/** Runs a server in a separate process. The process measures how long a request occupies the main thread of the server. */
export class MeasuredServer implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ready: Extract<ServerReport, { kind: 'ready' }>;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(child: ChildProcess, ready: Extract<ServerReport, { kind: 'ready' }>) {
    this.#child = child;
    this.#ready = ready;
  }

  static async start({
    flags = [],
    calibratedFromMs = mostMs / 4,
    ...options
  }: MeasuredServerOptions = {}): Promise<MeasuredServer> {
    const child = fork(program, [JSON.stringify({ calibratedFromMs, ...options } satisfies MeasuredProcessOptions)], {
      execArgv: ['--expose-gc', ...flags],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    return new MeasuredServer(child, await reportOf(child, 'ready'));
  }

  /** Sends the requests of the case, and measures the last request. */
  async cost({ before = [], request }: LimitCase): Promise<Cost & MeasuredAnswer> {
    for (const each of before) {
      const { status, text } = await this.send(each);
      if (status >= 300)
        throw new Error(`${each.method} ${each.path} returned status ${status}: ${text.slice(0, 300)}`);
    }
    const { result, cost } = await this.costOf(() => this.send(request));
    return { ...result, ...cost };
  }

  /** Measures the work of the server until the promise resolves. */
  async costOf<T>(act: () => Promise<T>): Promise<{ readonly result: T; readonly cost: Cost }> {
    this.#child.send('measure');
    await reportOf(this.#child, 'measuring');
    const result = await act();
    this.#child.send('report');
    const { kind: _, ...cost } = await reportOf(this.#child, 'measured');
    return { result, cost };
  }

  /** Returns the used bytes of the heap after a garbage collection. */
  async heapBytes(): Promise<number> {
    this.#child.send('heap');
    return (await reportOf(this.#child, 'heap')).bytes;
  }

  /** Returns the used bytes of the heap and of buffers after a garbage collection. */
  async memoryBytes(): Promise<number> {
    this.#child.send('heap');
    const { bytes, externalBytes } = await reportOf(this.#child, 'heap');
    return bytes + externalBytes;
  }

  /** Opens an HTTP/2 connection. */
  async connect(): Promise<ClientHttp2Session> {
    const session = connect(this.#ready.url, { ca: this.#ready.certificateAuthority });
    await once(session, 'connect');
    return session;
  }

  /**
   * Sends a GET request on an HTTP/2 connection. Returns the stream when the response headers have arrived. Rejects if the status is not
   * 200.
   */
  async open(session: ClientHttp2Session, path: string): Promise<ClientHttp2Stream> {
    const stream = session.request({ ':path': path, authorization: `Bearer ${this.#ready.token}` });
    const [head] = (await once(stream, 'response')) as [{ readonly ':status'?: number }];
    if (head[':status'] !== 200) throw new Error(`GET ${path} returned status ${head[':status']}`);
    return stream;
  }

  send({ method, path, type, accept, encoding, user, body }: LimitRequest): Promise<MeasuredAnswer> {
    const { url, certificateAuthority: ca, token } = this.#ready;
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    if (type !== undefined) headers['content-type'] = type;
    if (accept !== undefined) headers['accept'] = accept;
    if (encoding !== undefined) headers['accept-encoding'] = encoding;
    if (user !== undefined) headers['impersonate-user'] = user;
    return new Promise((resolve, reject) => {
      const sent = httpsRequest(`${url}${path}`, { method, ca, headers, agent: this.#agent }, (answer) => {
        let text = '';
        // The beginning is enough to identify the response.
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          if (text.length < 10_000) text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text })).on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}

async function reportOf<K extends ServerReport['kind']>(
  child: ChildProcess,
  kind: K,
): Promise<Extract<ServerReport, { kind: K }>> {
  const ended = new AbortController();
  const onExit = (): void => ended.abort(new Error('the server has ended'));
  child.once('exit', onExit);
  try {
    const [report] = (await once(child, 'message', { signal: ended.signal })) as [ServerReport];
    if (report.kind !== kind) throw new Error(`the server reported ${report.kind} instead of ${kind}`);
    return report as Extract<ServerReport, { kind: K }>;
  } finally {
    child.off('exit', onExit);
  }
}
