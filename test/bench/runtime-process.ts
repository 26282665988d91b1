// Runs one measurement with the runtime of a checkout, and sends the figures to the parent process.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { KubeObject } from '@kubewright/api';
import type { Connection } from '@kubewright/runtime';

/** The input of a process. */
export interface RuntimeWork {
  readonly root: string;
  readonly measure: 'import' | 'start' | 'events' | 'reconciles' | 'requests';
  readonly connection: Connection;
  /** Number of objects of each kind. */
  readonly objects: number;
  readonly passes: number;
}
/** A message from the process: a request to change every object of a kind, or the figures of the measurement. */
export type RuntimeReport = { readonly change: 'configmaps' | 'gadgets' } | { readonly figures: Readonly<Figures> };

type Figures = Record<string, number>;
type Api = typeof import('@kubewright/api');
type BuiltIn = typeof import('@kubewright/api/core/v1');
type Runtime = typeof import('@kubewright/runtime');

const work = JSON.parse(process.argv[2] ?? '') as RuntimeWork;
const { connection, objects, passes } = work;
/** Number of concurrent requests. */
const hands = 8;
const checkout = createRequire(join(work.root, 'packages', 'runtime', 'package.json'));

async function load<T>(specifier: string): Promise<T> {
  return (await import(pathToFileURL(checkout.resolve(specifier)).href)) as T;
}
const loadRuntime = (): Promise<Runtime> => load('@kubewright/runtime');

/** Returns the user and system time of this process in microseconds. */
function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
function post(report: RuntimeReport): void {
  process.send?.(report);
}

/** Counts down from a number and notifies the waiting caller at zero. */
class Countdown {
  #left = 0;
  #resolve: () => void = () => undefined;
  from(count: number): Promise<void> {
    this.#left = count;
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }
  down(): void {
    this.#left -= 1;
    if (this.#left === 0) this.#resolve();
  }
}

/** Returns the median CPU time per object in microseconds. Ignores the first pass, in which V8 compiles the code. */
async function microsEach(pass: () => Promise<unknown>): Promise<number> {
  const each: number[] = [];
  for (let index = 0; index <= passes; index += 1) {
    const begun = cpuMicros();
    await pass();
    each.push((cpuMicros() - begun) / objects);
  }
  return each.slice(1).toSorted((a, b) => a - b)[Math.floor(passes / 2)] ?? Number.NaN;
}
/** Runs a step for each object with limited concurrency; each worker runs its steps one after the other. */
async function byHands(step: (hand: number) => Promise<void>): Promise<void> {
  const turns = Array.from({ length: hands }, async (_, hand) => {
    for (let index = hand; index < objects; index += hands) await step(hand);
  });
  await Promise.all(turns);
}
function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
const sinceStart = (): Figures => ({ cpuMs: cpuMicros() / 1000, rssMegabytes: process.memoryUsage().rss / 1e6 });

async function gadgetKind(): Promise<ReturnType<Api['defineKind']>> {
  const { defineKind } = await load<Api>('@kubewright/api');
  return defineKind({ group: 'bench.dev', version: 'v1', kind: 'Gadget', spec: { type: 'object' } });
}

const measures: Record<RuntimeWork['measure'], () => Promise<Figures>> = {
  async import() {
    await loadRuntime();
    return sinceStart();
  },
  async start() {
    const [{ Manager, Result }, kind] = [await loadRuntime(), await gadgetKind()];
    const manager = new Manager({ connection }).control({ for: kind, name: 'gadget' }, async () => Result.done());
    await manager.start();
    const figures = sinceStart();
    await manager.stop();
    return figures;
  },
  async events() {
    const { connect } = await loadRuntime();
    const { ConfigMap } = await load<BuiltIn>('@kubewright/api/core/v1');
    await using cluster = await connect({ connection });
    await cluster.client.live.get(ConfigMap, { namespace: 'default', name: 'object-0' });
    const [before, begun] = [heapBytes(), cpuMicros()];
    const informer = await cluster.cache.informer(ConfigMap);
    await informer.synced();
    const listMicros = (cpuMicros() - begun) / objects;
    const objectBytes = (heapBytes() - before) / objects;
    const count = new Countdown();
    const initial = count.from(objects);
    const stop = new AbortController();
    void follow(informer.changes({ signal: stop.signal }), count);
    await initial;
    const eventMicros = await microsEach(async () => {
      const seen = count.from(objects);
      post({ change: 'configmaps' });
      await seen;
    });
    stop.abort();
    await informer[Symbol.asyncDispose]();
    return { listMicros, objectBytes, eventMicros };
  },
  async reconciles() {
    const [{ Manager, Result }, kind] = [await loadRuntime(), await gadgetKind()];
    const count = new Countdown();
    const first = count.from(objects);
    const manager = new Manager({ connection }).control({ for: kind, name: 'gadget' }, async () => {
      count.down();
      return Result.done();
    });
    await manager.start();
    await first;
    const reconcileMicros = await microsEach(async () => {
      const all = count.from(objects);
      post({ change: 'gadgets' });
      await all;
    });
    await manager.stop();
    return { reconcileMicros };
  },
  async requests() {
    const { connect } = await loadRuntime();
    const { ConfigMap } = await load<BuiltIn>('@kubewright/api/core/v1');
    await using cluster = await connect({ connection });
    const { client } = cluster;
    const key = (hand: number) => ({ namespace: 'default', name: `object-${hand}` });
    const getMicros = await microsEach(() =>
      byHands(async (hand) => void (await client.live.get(ConfigMap, key(hand)))),
    );
    const current = await Promise.all(
      Array.from({ length: hands }, (_, hand) => client.live.get(ConfigMap, key(hand))),
    );
    let text = 0;
    const patchMicros = await microsEach(() =>
      byHands(async (hand) => {
        text += 1;
        const before = current[hand];
        if (before === undefined) throw new Error(`worker ${hand} has no object`);
        current[hand] = await client.patch(before, (draft) => {
          draft.data = { ...draft.data, text: String(text) };
        });
      }),
    );
    return { getMicros, patchMicros };
  },
};

async function follow(changes: AsyncIterable<{ readonly object: KubeObject }>, count: Countdown): Promise<void> {
  for await (const _ of changes) count.down();
}

post({ figures: await measures[work.measure]() });
process.disconnect?.();
