// The measured operator. Runs one measurement with the public API of Kubewright, and prints its figures.
import type { KindRef, KubeObject } from '@kubewright/api';
import { Pod } from '@kubewright/api/core/v1';
import { Client, connect, Controller, index, Manager, type Reconciler, Result, WorkQueue } from '@kubewright/runtime';
import { keyOf } from '../load/objects.js';
import { WebService } from './kinds.js';
import {
  byHands,
  connection,
  cpuMicros,
  heapBytes,
  microsEach,
  peakMegabytes,
  pushEvents,
  quantile,
  report,
  sleep,
  untilCount,
  untilQuiet,
  untilWatched,
  work,
} from './process-figures.js';
import type { Figures, Work } from './work.js';

const { kind: plural = 'webservices', objects = 0, count = 0, warmUp = 0, concurrency = 1 } = work;
const kind = (plural === 'pods' ? Pod : WebService) as KindRef;
/** Returns the keys of all objects. A sync does not need the keys, whose memory would count as memory of the operator. */
const keysOfAll = () => Array.from({ length: objects }, (_, at) => keyOf(plural, at));
const byOwner = index(kind, 'owner', ({ metadata }) => metadata.ownerReferences?.[0]?.uid);

/** The number of changes or reconciles since the start of the process. */
let seen = 0;
let reconciled: (object: KubeObject, client: Client) => Promise<void> | void = () => undefined;

@Controller({ for: kind, name: 'bench', concurrency, indexes: [byOwner] })
class BenchController implements Reconciler<KubeObject> {
  constructor(private readonly client: Client) {}
  async reconcile(object: KubeObject): Promise<Result> {
    await reconciled(object, this.client);
    seen += 1;
    return Result.done();
  }
}

/** Starts a manager, and waits until every object is reconciled once. */
async function started(): Promise<Manager> {
  const manager = new Manager({ connection }).add(BenchController);
  await manager.start();
  await untilCount(() => seen, objects);
  await untilWatched();
  await untilQuiet(() => seen);
  return manager;
}

const measures: Readonly<Record<Exclude<Work['mode'], 'start'>, () => Promise<Figures>>> = {
  async sync() {
    const { cache } = await connect({ connection });
    const queue = new WorkQueue<string>();
    void drained(queue);
    await sleep(300);
    const [before, begun] = [heapBytes(), cpuMicros()];
    const informer = await cache.informer(kind, { indexes: [byOwner], waitForSync: false });
    void (async () => {
      for await (const { object } of informer.changes()) {
        queue.add(`${object.metadata.namespace}/${object.metadata.name}`);
        seen += 1;
      }
    })();
    await untilCount(() => seen, objects);
    const syncMicros = (cpuMicros() - begun) / objects;
    const peak = peakMegabytes();
    await sleep(500);
    const figures = { syncMicros, peakMegabytes: peak, heapBytes: (heapBytes() - before) / objects };
    if (count === 0) return figures;
    await untilWatched();
    const events = async (number: number): Promise<void> => {
      const target = seen + number;
      await pushEvents(number);
      await untilCount(() => seen, target);
    };
    await events(warmUp);
    return { ...figures, eventMicros: await microsEach(count, () => events(count)) };
  },

  async latency() {
    const { rate } = work;
    await started();
    const delays: number[] = [];
    reconciled = ({ metadata }) => {
      const sent = metadata.annotations?.['example.com/sent-at'];
      if (sent !== undefined) delays.push(Number(process.hrtime.bigint() - BigInt(sent)) / 1e6);
    };
    const events = async (number: number): Promise<void> => {
      delays.length = 0;
      await pushEvents(number, rate);
      // The queue combines events of the same object, so fewer reconciles than events are possible.
      if (delays.length < number) await untilQuiet(() => delays.length);
    };
    await events(warmUp);
    const eventMicros = await microsEach(count, () => events(count));
    delays.sort((a, b) => a - b);
    return { eventMicros, p50Ms: quantile(delays, 0.5), p99Ms: quantile(delays, 0.99) };
  },

  async churn() {
    const { rate = 0, seconds = 0 } = work;
    await started();
    const begin = Math.max(1, Math.round(seconds / 10));
    await pushEvents(rate * begin, rate);
    const before = heapBytes();
    const late: number[] = [];
    let due = performance.now() + 5;
    const timer = setInterval(() => {
      late.push(Math.max(0, performance.now() - due));
      due = performance.now() + 5;
    }, 5);
    const events = rate * Math.max(1, seconds - begin);
    const eventMicros = await microsEach(events, () => pushEvents(events, rate));
    clearInterval(timer);
    late.sort((a, b) => a - b);
    return {
      eventMicros,
      delayP99Ms: quantile(late, 0.99),
      delayMaxMs: quantile(late, 1),
      heapRatio: heapBytes() / before,
    };
  },

  async requests() {
    const { client } = await connect({ connection });
    const keys = keysOfAll();
    const one = async (at: number): Promise<void> => {
      const key = keys[at % keys.length] ?? { namespace: '', name: '' };
      if (work.verb === 'get') return void (await client.live.get(kind, key));
      const object = { apiVersion: 'apps.example.com/v1alpha1', kind: 'WebService', metadata: key };
      await client.subresource(object as WebService, 'status').patch({ merge: { status: { readyReplicas: at } } });
    };
    await byHands(concurrency, warmUp, one);
    return { micros: await microsEach(count, () => byHands(concurrency, count, one)) };
  },

  async reconciles() {
    const manager = await started();
    const controller = manager.controller(BenchController);
    const keys = keysOfAll();
    let [round, left, resolve] = [0, 0, (): void => undefined];
    reconciled = async (object, client) => {
      const { spec, status } = object as WebService;
      const readyReplicas = (spec.replicas ?? 0) + round;
      if (status?.readyReplicas === readyReplicas) return;
      await client.patchStatus(object as WebService, { readyReplicas });
      left -= 1;
      if (left === 0) resolve();
    };
    const all = (number: number) =>
      new Promise<void>((settle) => {
        [round, left, resolve] = [round + 10, number, settle];
        for (const key of keys.slice(0, number)) controller.enqueue(key);
      });
    await all(warmUp);
    await untilQuiet(() => seen);
    return { micros: await microsEach(count, () => all(count)) };
  },

  async reads() {
    const { cache, client } = await connect({ connection });
    await (await cache.informer(kind, { indexes: [byOwner] })).synced();
    const keys = keysOfAll();
    let length = 0;
    const gets = async (): Promise<void> => {
      for (let at = 0; at < count; at += 1) {
        const key = keys[(at * 7919) % keys.length] ?? { namespace: '', name: '' };
        length += (await client.get(kind, key)).metadata.name.length;
      }
    };
    const lists = 20;
    const listed = async (): Promise<void> => {
      for (let at = 0; at < lists; at += 1) length += (await client.list(kind)).length;
    };
    await gets();
    await listed();
    const figures = { getMicros: await microsEach(count, gets), listMicros: await microsEach(lists, listed) };
    if (length === 0) throw new Error('the cache is empty');
    return figures;
  },

  async pages() {
    const { client } = await connect({ connection });
    const all = async (): Promise<void> => {
      let items = 0;
      for await (const page of client.live.pages(kind, { limit: 500 })) items += page.items.length;
      if (items !== objects) throw new Error(`the pages contain ${items} of ${objects} objects`);
    };
    await all();
    return { micros: await microsEach(objects, all) };
  },

  async queue() {
    const queue = new WorkQueue<string>();
    const names = Array.from({ length: 1000 }, (_, at) => `team-${at % 211}/svc-${at}`);
    const cycles = async (number: number): Promise<void> => {
      for (let at = 0; at < number; at += 1) {
        queue.add(names[at % names.length] ?? '');
        const item = await queue.get();
        if (item === undefined) throw new Error('the queue has ended');
        queue.done(item.key);
      }
    };
    await cycles(warmUp);
    return { micros: await microsEach(count, () => cycles(count)) };
  },
};

async function drained(queue: WorkQueue<string>): Promise<void> {
  for (let item = await queue.get(); item !== undefined; item = await queue.get()) {
    queue.forget(item.key);
    queue.done(item.key);
  }
}

report(await measures[work.mode as keyof typeof measures]());
