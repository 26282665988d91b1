import { readFileSync } from 'node:fs';
import { KubeConfig } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { ServerProcess } from '../apiserver-process/server-process.js';
import { fromProtobuf, PROTOBUF } from '../contract/protobuf-wire.js';
import { Wire } from '../contract/wire.js';
import type { FuzzRequest } from './mutate-request.js';

/** The response to a request, and its cost for the server. */
export interface FuzzAnswer {
  readonly status: number;
  /** The text of the body. A Status in YAML or protobuf is converted to JSON. */
  readonly body: string;
  /** Milliseconds until the response was complete. */
  readonly ms: number;
  /** Milliseconds of processor time that the server used for the request. */
  readonly cpuMs: number;
  /** Milliseconds for which this process waited while its event loop was running. Excludes time in which the machine was paused. */
  readonly waitedMs: number;
}

/** Milliseconds in a tick of /proc/PID/stat. */
const tickMs = 10;
/** A watch is closed this many milliseconds after it started. */
const watchMs = 5;
/** Maximum waiting time for a response in milliseconds. */
const mostWaitMs = 60_000;

/** Runs an embedded server in a separate process and sends one request after the other. */
export class FuzzedServer implements AsyncDisposable {
  readonly #process: ServerProcess;
  readonly #wire: Wire;
  readonly #token: string;
  #end: string | undefined;

  private constructor(process: ServerProcess) {
    this.#process = process;
    const config = new KubeConfig();
    config.loadFromString(readFileSync(process.kubeconfig, 'utf8'));
    const ca = Buffer.from(config.getCurrentCluster()?.caData ?? '', 'base64').toString();
    this.#token = config.getCurrentUser()?.token ?? '';
    this.#wire = new Wire({ server: config.getCurrentCluster()?.server ?? '', ca });
    void process.ended.then(({ code, err }) => (this.#end = `exit code ${code}: ${err.slice(-2000)}`));
  }

  static async start(): Promise<FuzzedServer> {
    return new FuzzedServer(await ServerProcess.start(['--port', '0']));
  }

  /** Describes how the process ended. Undefined while the process runs. */
  get end(): string | undefined {
    return this.#end;
  }

  /**
   * Sends a request. Resolves with undefined if the connection broke, or if no response arrived within a minute. If the connection broke,
   * the request is sent a second time, because the server may have closed an idle connection.
   */
  async send(request: FuzzRequest): Promise<FuzzAnswer | undefined> {
    const clock = new WaitClock(mostWaitMs, () => this.#wire.close());
    try {
      const answer = await this.#sendOnce(request, clock);
      if (answer !== undefined || clock.isOver || this.#end !== undefined) return answer;
      return await this.#sendOnce(request, clock);
    } finally {
      clock.stop();
    }
  }

  async #sendOnce({ method, path, headers, body }: FuzzRequest, clock: WaitClock): Promise<FuzzAnswer | undefined> {
    const [startMs, startCpuMs, startWaitedMs] = [performance.now(), this.#cpuMs(), clock.waitedMs];
    try {
      const answer = await this.#wire.send({
        method,
        path,
        headers: { authorization: `Bearer ${this.#token}`, ...headers },
        ...(body === undefined ? {} : { body }),
      });
      const isWatch = answer.headers['transfer-encoding'] === 'chunked' && /[?&]watch=|\/watch\//.test(path);
      if (isWatch) setTimeout(() => answer.body.destroy(), watchMs);
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of answer.body) chunks.push(chunk as Buffer);
      } catch (error) {
        if (!isWatch) throw error;
      }
      const [ms, cpuMs] = [performance.now() - startMs, this.#cpuMs() - startCpuMs];
      const waitedMs = clock.waitedMs - startWaitedMs;
      const bytes = Buffer.concat(chunks);
      const text =
        answer.status < 400 ? bytes.toString() : await errorText(bytes, answer.headers['content-type'] ?? '');
      return { status: answer.status, body: text, ms, cpuMs, waitedMs };
    } catch (error) {
      if (!isBroken(error)) throw error;
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#wire.close();
    await this.#process.kill();
  }

  /** Returns the processor time of the process so far, in milliseconds. On systems without /proc, returns the time of a monotonic clock. */
  #cpuMs(): number {
    try {
      const stat = readFileSync(`/proc/${this.#process.pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * tickMs;
    } catch {
      return performance.now();
    }
  }
}

/** Returns the body of an error as text. Converts YAML and protobuf to JSON. The response to a HEAD request has no body. */
async function errorText(bytes: Buffer, mediaType: string): Promise<string> {
  if (bytes.length === 0) return '';
  if (mediaType.startsWith('application/yaml')) return JSON.stringify(parse(bytes.toString()));
  return mediaType.startsWith(PROTOBUF) ? JSON.stringify(await fromProtobuf(bytes)) : bytes.toString();
}

/** Counts the time in which the event loop of this process runs, and calls `onOver` once when the time reaches a limit. */
class WaitClock {
  readonly #timer: NodeJS.Timeout;
  #waitedMs = 0;
  #isOver = false;

  constructor(mostMs: number, onOver: () => void) {
    this.#timer = setInterval(() => {
      this.#waitedMs += tickMs;
      if (this.#waitedMs < mostMs || this.#isOver) return;
      this.#isOver = true;
      onOver();
    }, tickMs);
  }

  get waitedMs(): number {
    return this.#waitedMs;
  }
  get isOver(): boolean {
    return this.#isOver;
  }
  stop(): void {
    clearInterval(this.#timer);
  }
}

function isBroken(error: unknown): boolean {
  const { code } = error as { readonly code?: string };
  return ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'HPE_INVALID_CONSTANT'].includes(
    code ?? '',
  );
}
