import { readCorpus } from './corpus.js';
import { isExplained } from './explained.js';
import type { FuzzAnswer } from './fuzzed-server.js';
import { type FuzzRequest, mutatedRequest } from './mutate-request.js';
import { PreparedServer } from './prepared-server.js';
import { smallerRequests } from './smaller-requests.js';
import { Random } from './random.js';

/** Options of a run. */
export interface FuzzOptions {
  readonly seed: number;
  readonly requests: number;
  /** Index of the first request of the run. A multiple of `segmentLength` reproduces the state of the server. @default 0 */
  readonly from?: number;
  /** Receives one line per defect. */
  readonly onLine: (line: string) => void;
  /** Receives one line after every 5,000 requests. @default none */
  readonly onProgress?: (line: string) => void;
}

/** The result of a run. */
export interface FuzzReport {
  /** A text for each defect, with the command that reproduces the defect. */
  readonly defects: readonly string[];
  /** Number of responses by status code. The key 0 counts missing responses. */
  readonly answers: ReadonlyMap<number, number>;
  /** The longest processor time for one response in milliseconds. */
  readonly slowestCpuMs: number;
  /** The longest time until a response was complete, in milliseconds. */
  readonly slowestMs: number;
}

/** Number of requests in a segment. Each segment has a new server, so that a defect depends only on the requests of one segment. */
export const segmentLength = 5000;
/** Limit in milliseconds for the processor time of one response, and for the time that the server may wait before a response. */
const mostMs = 1000;
/** Factor by which a loaded machine may slow down a response. The remaining time counts as waiting time of the server. */
const mostSlowdown = 20;
/** Time in milliseconds for which a kube-apiserver waits for a resourceVersion that it has not reached. */
const versionWaitMs = 3000;
/** A run reports its progress after this many requests. */
const progressInterval = 5000;
/** A run ends after this many defects. */
const mostDefects = 20;

/**
 * Sends mutated requests of the contract to embedded servers. Reports exits, missing and slow responses, and unexplained responses with
 * status 500.
 */
export async function fuzzApiServer(options: FuzzOptions): Promise<FuzzReport> {
  const run = new FuzzRun(options);
  const { from = 0, requests } = options;
  for (let start = from; start < from + requests && !run.isOver; ) {
    const end = Math.min(from + requests, (Math.floor(start / segmentLength) + 1) * segmentLength);
    await run.segment(start, end);
    start = end;
  }
  return run.report;
}

class FuzzRun {
  readonly #options: FuzzOptions;
  readonly #corpus = readCorpus();
  readonly #defects: string[] = [];
  readonly #known = new Set<string>();
  readonly #answers = new Map<number, number>();
  #slowestCpuMs = 0;
  #slowestMs = 0;

  constructor(options: FuzzOptions) {
    this.#options = options;
  }

  get isOver(): boolean {
    return this.#defects.length >= mostDefects;
  }

  get report(): FuzzReport {
    return {
      defects: this.#defects,
      answers: this.#answers,
      slowestCpuMs: this.#slowestCpuMs,
      slowestMs: this.#slowestMs,
    };
  }

  async segment(start: number, end: number): Promise<void> {
    let server = await PreparedServer.start(this.#corpus);
    try {
      for (let index = start; index < end && !this.isOver; index += 1) {
        const request = mutatedRequest(this.#corpus, Random.of(this.#options.seed, index));
        const answer = await server.send(request);
        this.#count(answer);
        await this.#judge({ server, request, answer, index });
        await server.restoreAfter(request);
        this.#reportProgress(index);
        if (server.end === undefined) continue;
        await server[Symbol.asyncDispose]();
        server = await PreparedServer.start(this.#corpus);
      }
    } finally {
      await server[Symbol.asyncDispose]();
    }
  }

  #count(answer: FuzzAnswer | undefined): void {
    const status = answer?.status ?? 0;
    this.#answers.set(status, (this.#answers.get(status) ?? 0) + 1);
    this.#slowestCpuMs = Math.max(this.#slowestCpuMs, answer?.cpuMs ?? 0);
    this.#slowestMs = Math.max(this.#slowestMs, answer?.ms ?? 0);
  }

  #reportProgress(index: number): void {
    const { from = 0, requests, onProgress } = this.#options;
    const done = index - from + 1;
    if (done % progressInterval !== 0) return;
    const slowest = `slowest answer ${this.#slowestMs.toFixed(0)} ms`;
    onProgress?.(`${done} of ${requests} requests, ${slowest}, defects: ${this.#defects.length}`);
  }

  async #judge(sent: {
    readonly server: PreparedServer;
    readonly request: FuzzRequest;
    readonly answer: FuzzAnswer | undefined;
    readonly index: number;
  }): Promise<void> {
    const { server, request, answer, index } = sent;
    const defect = server.end ?? defectOf(answer);
    if (defect === undefined) return;
    const form = defect.replace(/"(?:[^"\\]|\\.)*"|\d+/g, '…').slice(0, 120);
    if (this.#known.has(form)) return;
    this.#known.add(form);
    const shown = server.end === undefined ? await smallest(server, request, form) : request;
    const { seed, onLine } = this.#options;
    const from = Math.floor(index / segmentLength) * segmentLength;
    const again = `npm run fuzz -- apiserver --seed ${seed} --from ${from} --requests ${index - from + 1}`;
    const line = `DEFECT at request ${index}: ${defect.slice(0, 600)}\n  request: ${textOf(shown)}\n  to repeat: ${again}`;
    this.#defects.push(line);
    onLine(line);
  }
}

function defectOf(answer: FuzzAnswer | undefined): string | undefined {
  if (answer === undefined) return 'no answer: the connection broke twice, or a minute passed';
  const { status, cpuMs, waitedMs } = answer;
  if (cpuMs > mostMs) return `slow answer with status ${status}: ${cpuMs} ms of CPU time`;
  const mostWaitMs = isVersionTooLarge(answer) ? mostMs + versionWaitMs : mostMs;
  if (waitedMs - mostSlowdown * cpuMs > mostWaitMs) return `late answer with status ${status}: ${waitedMs} ms`;
  if (answer.status !== 500) return undefined;
  const message = messageOf(answer.body);
  return isExplained(message) ? undefined : `status 500: ${message}`;
}

function isVersionTooLarge({ status, body }: FuzzAnswer): boolean {
  return status === 504 && body.includes('"reason":"ResourceVersionTooLarge"');
}

function messageOf(body: string): string {
  try {
    return (JSON.parse(body) as { readonly message?: string }).message ?? body;
  } catch {
    return body;
  }
}

/** Removes parts of the request as long as the defect stays the same, and returns the smallest request that still has the defect. */
async function smallest(server: PreparedServer, request: FuzzRequest, form: string): Promise<FuzzRequest> {
  let best = request;
  for (let found = true; found && server.end === undefined; ) {
    found = false;
    for (const smaller of smallerRequests(best)) {
      const defect = defectOf(await server.send(smaller));
      if (defect?.replace(/"(?:[^"\\]|\\.)*"|\d+/g, '…').slice(0, 120) !== form) continue;
      best = smaller;
      found = true;
      break;
    }
  }
  return best;
}

function textOf({ method, path, headers, body = '' }: FuzzRequest): string {
  const text = Buffer.isBuffer(body) ? `base64:${body.toString('base64')}` : body;
  return `${method} ${path} ${JSON.stringify(headers)} ${text.slice(0, 2000)}`;
}
