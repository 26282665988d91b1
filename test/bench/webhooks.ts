import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { selfSignedCertificate } from '@kubewright/runtime/internal';
import { ReservedPorts } from '@kubewright/testing/internal';
import type { Figures } from './operator/work.js';
import type { Row } from './report/report.js';
import type { Command } from './run/measured-process.js';
import { CONVERTER, DEFAULTER, LISTED, type MeasuredWebhook, VALIDATOR } from './webhook-reviews.js';

const program = fileURLToPath(new URL('./webhook-operator.js', import.meta.url));

interface MeasuredRequests {
  readonly figure: string;
  readonly row: Row;
  readonly webhook: MeasuredWebhook;
  readonly connections: number;
  /** The number of measured requests. Twice as many unmeasured requests precede these requests, so that V8 compiles the code. */
  readonly requests: number;
}
const measurements: readonly MeasuredRequests[] = [1, 16].flatMap((connections) => {
  const by = `${connections} ${connections === 1 ? 'connection' : 'connections'}`;
  const row = (name: string, title: string): Row => ({
    name: `webhooks-${name}-${connections}`,
    title: `CPU of ${title}, ${by}`,
    unit: 'µs',
    section: 'Webhooks',
  });
  const named = (name: string, title: string): Pick<MeasuredRequests, 'figure' | 'row'> => ({
    figure: `${name}${connections}`,
    row: row(name, title),
  });
  const validator = named('validator', 'a review of a validator');
  return [
    {
      ...validator,
      row: { ...validator.row, goal: { limit: 150 } },
      webhook: VALIDATOR,
      connections,
      requests: 5000,
    },
    { ...named('defaulter', 'a review of a defaulter with a patch'), webhook: DEFAULTER, connections, requests: 5000 },
    { ...named('converter', `a conversion of ${LISTED} objects`), webhook: CONVERTER, connections, requests: 50 },
  ];
});

/** The rows of the webhooks, by the names of their figures. */
export function webhookRows(): Readonly<Record<string, Row>> {
  return Object.fromEntries(measurements.map(({ figure, row }) => [figure, row]));
}

/**
 * Measures the CPU time that the webhooks of an operator need for each request of the API server. The requests use HTTP/1.1 over TLS and
 * connections that stay open, as the requests of kube-apiserver do. The operator runs in its own process: the Go program `go`, or the
 * runtime of the checkout `root`. `scale` is the share of the requests.
 */
export async function measureWebhooks(
  subject: { readonly go: string } | { readonly root: string },
  { folder, scale }: { readonly folder: string; readonly scale: number },
): Promise<Figures> {
  if (!existsSync(join(folder, 'tls.crt'))) {
    const { cert, key } = selfSignedCertificate(['127.0.0.1']);
    writeFileSync(join(folder, 'tls.crt'), cert);
    writeFileSync(join(folder, 'tls.key'), key, { mode: 0o600 });
  }
  await using reserved = await ReservedPorts.take(1);
  const [port = 0] = reserved.ports;
  const command =
    'go' in subject
      ? { file: subject.go, args: [JSON.stringify({ mode: 'webhooks', port, folder })] }
      : { file: process.execPath, args: [program, subject.root, String(port), folder] };
  await using operator = await Operator.start(command);
  const ca = readFileSync(join(folder, 'tls.crt'));
  const figures: Record<string, number> = {};
  for (const { figure, webhook, connections, requests } of measurements) {
    const count = Math.max(1, Math.round(requests * scale));
    using client = new Client({ port, ca, connections });
    await client.untilServed(webhook, operator);
    await client.send(webhook, 2 * count);
    const begun = await operator.cpuMicros();
    await client.send(webhook, count);
    figures[figure] = ((await operator.cpuMicros()) - begun) / count;
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
  static async start({ file, args }: Command): Promise<Operator> {
    const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
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
