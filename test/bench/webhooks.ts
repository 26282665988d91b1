import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { selfSignedCertificate } from '@kubewright/runtime/internal';
import { ReservedPorts } from '@kubewright/testing/internal';
import { programPath } from '../programs/program-path.js';
import { type Measurement, median } from './measurement.js';
import { CONVERTER, DEFAULTER, LISTED, type MeasuredWebhook, VALIDATOR } from './webhook-reviews.js';

const program = fileURLToPath(new URL('./webhook-operator.js', import.meta.url));
const here = dirname(dirname(dirname(dirname(program))));
const peers = join(here, 'test', 'bench', 'peers');
const rounds = 5;
const USAGE = 'npm run bench -- webhooks [--peers] [--against DIR]';

interface Row {
  readonly name: string;
  readonly webhook: MeasuredWebhook;
  readonly connections: number;
  /** The number of measured requests. Twice as many unmeasured requests precede these requests, so that V8 compiles the code. */
  readonly requests: number;
  readonly goal?: number;
}
const rows: readonly Row[] = [1, 16].flatMap((connections) => {
  const by = `${connections} ${connections === 1 ? 'connection' : 'connections'}`;
  return [
    { name: `CPU per review of a validator, ${by}`, webhook: VALIDATOR, connections, requests: 5000, goal: 150 },
    { name: `CPU per review of a defaulter with a patch, ${by}`, webhook: DEFAULTER, connections, requests: 5000 },
    { name: `CPU per conversion of ${LISTED} objects, ${by}`, webhook: CONVERTER, connections, requests: 50 },
  ];
});

/**
 * Measures the CPU time that the webhooks of an operator need for each request of the API server. The requests use HTTP/1.1 over TLS and
 * connections that stay open, as the requests of kube-apiserver do. The operator runs in its own process. With `--against DIR`, the
 * measurements alternate with the runtime of another checkout. With `--peers`, they also alternate with the same webhooks in Go.
 */
export async function benchWebhooks(args: readonly string[]): Promise<readonly Measurement[]> {
  const { against, withPeers } = optionsOf(args);
  const folder = mkdtempSync(join(tmpdir(), 'kubewright-bench-'));
  try {
    const { cert, key } = selfSignedCertificate(['127.0.0.1']);
    writeFileSync(join(folder, 'tls.crt'), cert);
    writeFileSync(join(folder, 'tls.key'), key, { mode: 0o600 });
    const peer = withPeers ? buildPeer(folder) : undefined;
    const now: Figures[] = [];
    const before: Figures[] = [];
    const inGo: Figures[] = [];
    for (let round = 0; round < rounds; round += 1) {
      now.push(await measured(folder, process.execPath, [program, here]));
      if (against !== undefined) before.push(await measured(folder, process.execPath, [program, against]));
      if (peer?.path !== undefined) inGo.push(await measured(folder, peer.path, []));
    }
    return rows.map(({ name, goal }, at) => {
      const of = (figures: readonly Figures[]): number => median(figures.map((each) => each[at] ?? Number.NaN));
      return {
        name,
        unit: 'µs',
        value: of(now),
        ...(goal !== undefined && { goal }),
        ...(against !== undefined && { before: of(before) }),
        ...(peer !== undefined && { peer: { name: peer.name, ...(inGo.length > 0 && { value: of(inGo) }) } }),
      };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The CPU time per request in microseconds, for each row. */
type Figures = readonly number[];

function optionsOf(args: readonly string[]): { readonly against: string | undefined; readonly withPeers: boolean } {
  const rest = args.filter((each) => each !== '--peers');
  const [flag, folder] = rest;
  if (rest.length > 2 || (flag !== undefined && (flag !== '--against' || folder === undefined))) {
    throw new Error(`'${args.join(' ')}' is invalid; usage: ${USAGE}`);
  }
  return { against: folder === undefined ? undefined : resolve(folder), withPeers: rest.length < args.length };
}

/** Builds the Go program in `peers`. The returned path is undefined if `go` is not on PATH. */
function buildPeer(folder: string): { readonly name: string; readonly path?: string } {
  const version = /controller-runtime (v\S+)/.exec(readFileSync(join(peers, 'go.mod'), 'utf8'))?.[1] ?? '';
  const name = `controller-runtime ${version}`;
  if (programPath('go') === undefined) {
    process.stderr.write(`${name} is not measured, because go is not on PATH\n`);
    return { name };
  }
  const path = join(folder, 'peers');
  execFileSync('go', ['build', '-o', path, '.'], { cwd: peers, stdio: ['ignore', 'inherit', 'inherit'] });
  return { name, path };
}

async function measured(folder: string, command: string, args: readonly string[]): Promise<Figures> {
  await using reserved = await ReservedPorts.take(1);
  const [port = 0] = reserved.ports;
  await using operator = await Operator.start(command, [...args, String(port), folder]);
  const ca = readFileSync(join(folder, 'tls.crt'));
  const figures: number[] = [];
  for (const { webhook, connections, requests } of rows) {
    using client = new Client({ port, ca, connections });
    await client.untilServed(webhook, operator);
    await client.send(webhook, 2 * requests);
    const begun = await operator.cpuMicros();
    await client.send(webhook, requests);
    figures.push(((await operator.cpuMicros()) - begun) / requests);
  }
  return figures;
}

/** A process with the measured webhooks. */
class Operator implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #lines: Interface;
  readonly #ended: Promise<unknown>;
  hasEnded = false;

  private constructor(child: ChildProcess, lines: Interface) {
    this.#child = child;
    this.#lines = lines;
    this.#ended = once(child, 'exit').finally(() => (this.hasEnded = true));
  }
  static async start(command: string, args: readonly string[]): Promise<Operator> {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(child, 'spawn');
    return new Operator(child, createInterface({ input: child.stdout }));
  }
  /** Returns the user and system time of the process in microseconds. */
  async cpuMicros(): Promise<number> {
    this.#child.stdin?.write('\n');
    for (;;) {
      const [line] = await Promise.race([once(this.#lines, 'line'), this.#ended.then(() => ['the process has ended'])]);
      if (this.hasEnded) throw new Error('the process that serves the webhooks has ended');
      // Other lines are log lines.
      if (/^\d+$/.test(String(line))) return Number(line);
    }
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin?.end();
    await this.#ended;
  }
}

/** A client that keeps its connections open. */
class Client implements Disposable {
  readonly #agent: Agent;
  readonly #options: { readonly port: number; readonly ca: Buffer; readonly connections: number };

  constructor(options: { readonly port: number; readonly ca: Buffer; readonly connections: number }) {
    this.#options = options;
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  }
  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /** Sends a review until the operator responds, and checks the response. Throws an error if the operator ends first. */
  async untilServed(webhook: MeasuredWebhook, operator: Operator): Promise<void> {
    for (;;) {
      try {
        return webhook.check(await this.#post(webhook.path, webhook.body(0)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED' || operator.hasEnded) throw error;
        await new Promise((resume) => setTimeout(resume, 20));
      }
    }
  }

  /** Sends requests. Each connection sends its requests one after the other. Checks the last response. */
  async send(webhook: MeasuredWebhook, requests: number): Promise<void> {
    const bodies = Array.from({ length: Math.min(requests, 100) }, (_, index) => webhook.body(index));
    let next = 0;
    let last = '';
    const hands = Array.from({ length: this.#options.connections }, async () => {
      for (let index = next++; index < requests; index = next++) {
        last = await this.#post(webhook.path, bodies[index % bodies.length] ?? '');
      }
    });
    await Promise.all(hands);
    webhook.check(last);
  }

  #post(path: string, body: string): Promise<string> {
    const { port, ca } = this.#options;
    const headers = {
      accept: 'application/json, */*',
      'accept-encoding': 'gzip',
      'content-type': 'application/json',
      'user-agent': 'kube-apiserver-admission',
      'content-length': Buffer.byteLength(body),
    };
    return new Promise((settle, reject) => {
      const options = { host: '127.0.0.1', port, path, method: 'POST', ca, agent: this.#agent, headers };
      const request = httpsRequest(options, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('error', reject);
        response.on('end', () =>
          response.statusCode === 200 ? settle(text) : reject(new Error(`unexpected status of ${path}: ${text}`)),
        );
      });
      request.on('error', reject);
      request.end(body);
    });
  }
}
