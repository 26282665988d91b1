// Measures how many bytes a reconcile and a cached read allocate, and sends the results as multiples of the bytes of one parsed object.
// Requires the flags of allocations.test.ts: without compilers, the number of bytes does not depend on the time at which V8 compiles a
// function, and with a large young generation, no garbage collection frees bytes during a measurement.
import assert from 'node:assert/strict';
import type { KubeObject } from '@kubewright/api';
import { SystemClock } from '@kubewright/api/clock';
import { ConfigMap } from '@kubewright/api/core/v1';
import { CachedClient } from '../client/cached-client.js';
import { Result } from '../controller/reconciler/result.js';
import { Discovery } from '../transport/discovery/discovery.js';
import { Transport } from '../transport/sending/transport.js';
import { CacheBench } from './cache-bench.js';
import { Machine, machine, type Reconcile, setUp } from './controller-bench.js';
import { RecordingLogger } from './recording-logger.js';

const RUNS = 500;
/** V8 counts memory in blocks. For an exact result, the work must therefore allocate several megabytes. */
const PARSES = 20_000;
const key = { namespace: 'default', name: 'a' };
const stored = {
  ...machine('a', {}, { generation: 1 }),
  apiVersion: 'test.dev/v1',
  kind: 'Machine',
  status: { observedGeneration: 1, disks: 1 },
} as unknown as KubeObject;

/** A transport that answers every request with the same object, so that only the client and the controller are measured. */
class InstantTransport extends Transport {
  override request<T>(): Promise<T> {
    return Promise.resolve(stored as unknown as T);
  }
}

/** Returns the number of bytes that the work allocates. */
async function bytesOf(work: () => Promise<void> | void): Promise<number> {
  assert.ok(gc, 'start this program with --expose-gc');
  gc();
  const before = process.memoryUsage().heapUsed;
  await work();
  return process.memoryUsage().heapUsed - before;
}

async function bytesPerReconcile(reconcile: Reconcile): Promise<number> {
  let left = 1;
  let end: () => void = () => undefined;
  const run: Reconcile = async (object, context) => {
    await reconcile(object, context);
    if (--left > 0) bench.runner.enqueue(key);
    else end();
    return Result.done();
  };
  const bench = await setUp(run, { reconcileCondition: false, hotLoops: false });
  const runs = (count: number): Promise<void> =>
    new Promise((resolve) => {
      [left, end] = [count, resolve];
      bench.runner.enqueue(key);
    });
  bench.machines.put(stored);
  await bench.settle();
  await runs(RUNS);
  return (await bytesOf(() => runs(RUNS))) / RUNS;
}

/** Returns the number of bytes that a get of a cached object allocates. */
async function bytesPerCachedRead(): Promise<number> {
  await using bench = await CacheBench.start();
  const { transport, discovery, cache, clock, logger, server } = bench;
  const reader = new CachedClient({ backend: { transport, discovery, cache }, clock, logger, fieldManager: 'tester' });
  const read = (): Promise<ConfigMap> => reader.get(ConfigMap, key);
  const first = read();
  (await server.next()).list('10', [{ metadata: { ...key, uid: 'u', resourceVersion: '9', creationTimestamp: '' } }]);
  await first;
  await read();
  const bytes = await bytesOf(() => {
    for (let at = 0; at < PARSES; at++) void read();
  });
  return bytes / PARSES;
}

const transport = new InstantTransport({ server: 'http://127.0.0.1:9' });
const client = new CachedClient({
  backend: { transport, discovery: new Discovery(transport) },
  clock: new SystemClock(),
  logger: new RecordingLogger(),
  fieldManager: 'tester',
  kinds: [Machine],
});
let disks = 0;
const withoutWrite = await bytesPerReconcile(async () => Result.done());
const withPatch = await bytesPerReconcile(async (object) => {
  await client.patchStatus(object, { disks: ++disks } as never);
  return Result.done();
});
await transport.close();
const text = JSON.stringify(stored);
let parsed: unknown;
const parse =
  (await bytesOf(() => {
    for (let at = 0; at < PARSES; at++) parsed = JSON.parse(text);
  })) / PARSES;
assert.deepEqual(parsed, stored);
const cachedRead = await bytesPerCachedRead();
process.send?.({ withoutWrite: withoutWrite / parse, withPatch: withPatch / parse, cachedRead: cachedRead / parse });
process.disconnect?.();
