import { readFileSync } from 'node:fs';
import { KubeConfig } from '@kubernetes/client-node';
import { ServerProcess } from '../apiserver-process/server-process.js';
import { Wire } from '../contract/wire.js';
import type { FuzzRequest } from './mutate-request.js';

/** The answer to a request, and what it cost the server. */
export interface FuzzAnswer {
  readonly status: number;
  readonly body: string;
  /** Milliseconds until the answer was complete. */
  readonly ms: number;
  /** Milliseconds of processor time that the server used meanwhile. */
  readonly cpuMs: number;
}

/** Milliseconds in a tick of /proc/PID/stat. */
const tickMs = 10;
/** A watch is closed this long after it began. */
const watchMs = 5;

/** An embedded server in a process of its own, which answers one request after the other. */
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

  /** How the process ended; undefined while it runs. */
  get end(): string | undefined {
    return this.#end;
  }

  /** Sends a request. Undefined when the connection broke without an answer. */
  async send({ method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer | undefined> {
    const [startMs, startCpuMs] = [performance.now(), this.#cpuMs()];
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
      return { status: answer.status, body: Buffer.concat(chunks).toString(), ms, cpuMs };
    } catch (error) {
      if (!isBroken(error)) throw error;
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#wire.close();
    await this.#process.kill();
  }

  /** The processor time of the process so far. The wall clock counts instead on systems without /proc. */
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

function isBroken(error: unknown): boolean {
  const { code } = error as { readonly code?: string };
  return ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'HPE_INVALID_CONSTANT'].includes(
    code ?? '',
  );
}
