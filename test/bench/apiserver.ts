import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiServer } from '@kubewright/apiserver';
import { type Measurement, median } from './measurement.js';

const program = fileURLToPath(new URL('../../../packages/apiserver/dist/command/main.js', import.meta.url));
const startUp = fileURLToPath(new URL('./start-up.js', import.meta.url));
const collection = '/api/v1/namespaces/default/configmaps';
const rounds = 5;
const [few, many] = [1000, 10_000];

/** Measures the embedded server: startup time, memory, throughput, and the duration of a large list. */
export async function benchApiServer(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kubewright-bench-'));
  try {
    const data = join(folder, 'data');
    await fill(data);
    const loaded = JSON.parse(
      execFileSync(process.execPath, [startUp, data, String(rounds)], { encoding: 'utf8' }),
    ) as number[];
    const shell = await fromShell(folder, data);
    return [
      { name: `ready in a loaded process, ${few} objects`, value: median(loaded), unit: 'ms', goal: 300 },
      {
        name: `ready from the shell, ${few} objects`,
        value: median(shell.map(({ ms }) => ms)),
        unit: 'ms',
        goal: 1000,
      },
      {
        name: `memory (RSS) when ready, ${few} objects`,
        value: median(shell.map(({ megabytes }) => megabytes)),
        unit: 'MB',
        goal: 90,
      },
      ...(await throughput(folder)),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Fills a data folder with the objects of a small cluster. */
async function fill(data: string): Promise<void> {
  await using server = await ApiServer.start({ data });
  for (let index = 0; index < few; index += 1) {
    const { definition } = server.registry.builtIn('/v1/configmaps');
    server.store.create(definition.storageBucket, {
      ...configMap(`object-${index}`),
      metadata: {
        name: `object-${index}`,
        namespace: 'default',
        uid: `uid-${index}`,
        labels: { app: 'bench' },
      },
    });
  }
  await server.store.durable();
}

async function fromShell(
  folder: string,
  data: string,
): Promise<readonly { readonly ms: number; readonly megabytes: number }[]> {
  const figures: { ms: number; megabytes: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    const child = await start(['--data', data, '--port', '0', '--kubeconfig', join(folder, 'kubeconfig')]);
    const ms = performance.now() - begun;
    await new Client(join(folder, 'kubeconfig')).body('GET', collection);
    figures.push({ ms, megabytes: residentMegabytes(child.pid ?? 0) });
    await stop(child);
  }
  return figures;
}

async function throughput(folder: string): Promise<readonly Measurement[]> {
  const kubeconfig = join(folder, 'kubeconfig');
  const child = await start(['--port', '0', '--kubeconfig', kubeconfig]);
  try {
    const client = new Client(kubeconfig);
    const writing = await seconds(() =>
      client.many(many, (index) => ['POST', collection, configMap(`object-${index}`)]),
    );
    let bytes = 0;
    const lists = 5;
    const listing = await seconds(async () => {
      for (let list = 0; list < lists; list += 1) bytes = (await client.body('GET', collection)).length;
    });
    const from = /"resourceVersion":"(\d+)"/.exec(await client.body('GET', `${collection}?limit=1`))?.[1];
    const watch = await client.watch(`${collection}?watch=true&resourceVersion=${from}`);
    const watching = await seconds(() =>
      Promise.all([
        watch(many),
        client.many(many, (index) => ['PUT', `${collection}/object-${index}`, configMap(`object-${index}`, 'changed')]),
      ]),
    );
    return [
      { name: `creates by 16 clients, in memory`, value: many / writing, unit: '/s' },
      { name: `list of ${many} objects, ${(bytes / 1e6).toFixed(1)} MB`, value: (listing / lists) * 1000, unit: 'ms' },
      { name: 'watch events, including the updates that cause them', value: many / watching, unit: '/s' },
      { name: `memory (RSS) with ${many} objects`, value: residentMegabytes(child.pid ?? 0), unit: 'MB' },
      ...(await durableWrites(folder)),
    ];
  } finally {
    await stop(child);
  }
}

async function durableWrites(folder: string): Promise<readonly Measurement[]> {
  const kubeconfig = join(folder, 'durable');
  const child = await start(['--port', '0', '--kubeconfig', kubeconfig, '--data', join(folder, 'durable-data')]);
  try {
    const client = new Client(kubeconfig);
    const count = 2000;
    const writing = await seconds(() =>
      client.many(count, (index) => ['POST', collection, configMap(`object-${index}`)]),
    );
    return [{ name: 'creates by 16 clients, on disk before the response', value: count / writing, unit: '/s' }];
  } finally {
    await stop(child);
  }
}

/** Starts the command and waits until it is ready. */
async function start(args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  for await (const chunk of child.stderr) {
    output += String(chunk);
    if (output.includes('ready at')) break;
  }
  if (!output.includes('ready at')) throw new Error(`the server did not start: ${output}`);
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

function residentMegabytes(pid: number): number {
  const kilobytes =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return (Number(kilobytes) * 1024) / 1e6;
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

function configMap(name: string, text = ''): object {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'bench' } },
    data: { text: text.padEnd(400, 'x') },
  };
}

type Request = readonly [method: string, path: string, body?: object];

/** A client that keeps 16 connections open. */
class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  readonly #server: string;
  readonly #options: { readonly ca: Buffer; readonly headers: Readonly<Record<string, string>> };

  constructor(kubeconfig: string) {
    const text = readFileSync(kubeconfig, 'utf8');
    const field = (name: string): string => new RegExp(`${name}: "?([^"\\s]+)`).exec(text)?.[1] ?? '';
    this.#server = field('server');
    this.#options = {
      ca: Buffer.from(field('certificate-authority-data'), 'base64'),
      headers: { authorization: `Bearer ${field('token')}`, 'content-type': 'application/json' },
    };
  }

  async body(...request: Request): Promise<string> {
    const answer = await this.#send(request, this.#agent);
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += String(chunk);
    if ((answer.statusCode ?? 500) >= 300) throw new Error(`unexpected answer: ${text}`);
    return text;
  }

  /** Sends the given number of requests. Each connection sends its requests one after the other. */
  async many(count: number, make: (index: number) => Request): Promise<void> {
    let next = 0;
    const hands = Array.from({ length: 16 }, async () => {
      for (let index = next++; index < count; index = next++) await this.body(...make(index));
    });
    await Promise.all(hands);
  }

  /** Opens a watch. The returned function waits for the given number of events and closes the watch. */
  async watch(path: string): Promise<(count: number) => Promise<void>> {
    const answer = await this.#send(['GET', path], new Agent());
    return async (count) => {
      let seen = 0;
      for await (const chunk of answer) {
        for (const byte of chunk as Buffer) if (byte === 0x0a) seen += 1;
        if (seen >= count) break;
      }
      answer.destroy();
    };
  }

  #send([method, path, body]: Request, agent: Agent): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const request = httpsRequest(`${this.#server}${path}`, { ...this.#options, method, agent }, resolve);
      request.on('error', reject);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}
