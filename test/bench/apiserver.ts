import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiServer } from '@kubewright/apiserver';
import { ApiClient } from './apiserver-client.js';
import { ApiServerProcess } from './apiserver-process.js';
import type { Figures } from './operator/work.js';

/** What is measured of the embedded server: its start, requests, a large cluster, or many watches. */
export type ApiServerMeasure = 'start' | 'requests' | 'large' | 'fan-out';

/** The checkout whose server is measured, a folder for its files, and the share of the usual numbers of objects and requests. */
interface Setting {
  readonly root: string;
  readonly folder: string;
  readonly scale: number;
}

const startProgram = fileURLToPath(new URL('./apiserver-start.js', import.meta.url));
const collection = '/api/v1/namespaces/default/configmaps';
const WATCHES = 100;

function configMap(name: string, text = ''): { readonly metadata: object } {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', labels: { app: 'bench' } },
    data: { text: text.padEnd(400, 'x') },
  } as { readonly metadata: object };
}

/** Returns a data folder with the given number of objects, and creates it if necessary. */
async function filled(folder: string, count: number): Promise<string> {
  const data = join(folder, `data-${count}`);
  if (existsSync(data)) return data;
  await using server = await ApiServer.start({ data });
  const { definition } = server.registry.builtIn('/v1/configmaps');
  for (let index = 0; index < count; index += 1) {
    const { metadata, ...rest } = configMap(`object-${index}`);
    server.store.create(definition.storageBucket, { ...rest, metadata: { ...metadata, uid: `uid-${index}` } });
    if (index % 1000 === 999) await server.store.durable();
  }
  await server.store.durable();
  return data;
}

/** Measures the CPU time of the server for each of a number of requests, in microseconds. */
async function serverMicros(server: ApiServerProcess, count: number, work: () => Promise<unknown>): Promise<number> {
  const begun = server.cpuMs();
  await work();
  return ((server.cpuMs() - begun) * 1000) / count;
}

const measures: Readonly<Record<ApiServerMeasure, (setting: Setting) => Promise<Figures>>> = {
  async start({ root, folder, scale }) {
    const data = await filled(folder, Math.round(1000 * scale));
    const loaded = execFileSync(process.execPath, [startProgram, root, data], { encoding: 'utf8' });
    await using server = await ApiServerProcess.start({ root, folder, data });
    const cpuMs = server.cpuMs();
    using client = new ApiClient(server.kubeconfig);
    await client.bytes('GET', collection);
    return { loadedMs: Number(loaded), shellMs: server.readyMs, cpuMs, rssMegabytes: server.residentMegabytes() };
  },

  async requests({ root, folder, scale }) {
    const count = Math.round(5000 * scale);
    const create = (index: number) => ['POST', collection, configMap(`object-${index}`)] as const;
    await using server = await ApiServerProcess.start({ root, folder });
    using client = new ApiClient(server.kubeconfig);
    await client.many(count, create);
    const createMicros = await serverMicros(server, count, () => client.many(count, (index) => create(count + index)));
    const begun = performance.now();
    const getMicros = await serverMicros(server, count, () =>
      client.many(count, (index) => ['GET', `${collection}/object-${index}`]),
    );
    const getPerSecond = (count / (performance.now() - begun)) * 1000;
    const lists = 50;
    const listed = async (): Promise<void> => {
      for (let list = 0; list < lists; list += 1) await client.bytes('GET', `${collection}?limit=1000`);
    };
    await listed();
    const listMs = (await serverMicros(server, lists, listed)) / 1000;
    return { createMicros, getMicros, getPerSecond, listMs, durableMicros: await durable({ root, folder, scale }) };
  },

  async large({ root, folder, scale }) {
    const data = await filled(folder, Math.round(100_000 * scale));
    await using server = await ApiServerProcess.start({ root, folder, data });
    using client = new ApiClient(server.kubeconfig);
    const get = () => client.text('GET', `${collection}/object-0`);
    for (let request = 0; request < 200; request += 1) await get();
    const restarted = { restartMs: server.readyMs, rssMegabytes: server.residentMegabytes() };
    let slowest = 0;
    const listing = { isOpen: true };
    const gets = async (): Promise<void> => {
      while (listing.isOpen) {
        const begun = performance.now();
        await get();
        slowest = Math.max(slowest, performance.now() - begun);
        await new Promise((resume) => setTimeout(resume, 5));
      }
    };
    const begun = server.cpuMs();
    const ended = gets();
    await client.bytes('GET', collection).finally(() => (listing.isOpen = false));
    const listMs = server.cpuMs() - begun;
    await ended;
    return { ...restarted, listMs, blockedMs: slowest };
  },

  async 'fan-out'({ root, folder, scale }) {
    const count = Math.round(1000 * scale);
    await using server = await ApiServerProcess.start({ root, folder });
    using client = new ApiClient(server.kubeconfig);
    const updates = (text: string) =>
      client.many(count, (index) => ['PUT', `${collection}/object-${index}`, configMap(`object-${index}`, text)]);
    await client.many(count, (index) => ['POST', collection, configMap(`object-${index}`)]);
    // The CPU time of the same updates without watches.
    await updates('first');
    const alone = await serverMicros(server, count, () => updates('second'));
    const page = await client.text('GET', `${collection}?limit=1`);
    const from = /"resourceVersion":"(\d+)"/.exec(page)?.[1];
    const path = `${collection}?watch=true&resourceVersion=${from}`;
    const watches = await Promise.all(Array.from({ length: WATCHES }, () => client.watch(path)));
    const watched = await serverMicros(server, count, () =>
      Promise.all([updates('third'), ...watches.map((watch) => watch(count))]),
    );
    return { eventMicros: Math.max(0, watched - alone) / WATCHES };
  },
};

async function durable({ root, folder, scale }: Setting): Promise<number> {
  const data = mkdtempSync(join(folder, 'durable-'));
  try {
    const count = Math.round(2000 * scale);
    await using server = await ApiServerProcess.start({ root, folder, data });
    using client = new ApiClient(server.kubeconfig);
    const creates = (from: number) =>
      client.many(count, (index) => ['POST', collection, configMap(`object-${from + index}`)]);
    await creates(0);
    return await serverMicros(server, count, () => creates(count));
  } finally {
    rmSync(data, { recursive: true });
  }
}

/** Measures the embedded server of a checkout. The data folders stay in `folder` for the next measurements. */
export async function measureApiServer(measure: ApiServerMeasure, setting: Setting): Promise<Figures> {
  mkdirSync(setting.folder, { recursive: true });
  return measures[measure](setting);
}
