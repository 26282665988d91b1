import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { SystemClock } from '@kubewright/api/clock';
import { CachedClient } from '../client/cached-client.js';
import { Machine, machine, type Reconcile, setUp } from '../test-support/controller-bench.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { Discovery } from '../transport/discovery/discovery.js';
import { Transport } from '../transport/sending/transport.js';
import { Result } from './reconciler/result.js';

const RUNS = 500;
const key = { namespace: 'default', name: 'a' };
const stored = {
  ...machine('a', {}, { generation: 1 }),
  apiVersion: 'test.dev/v1',
  kind: 'Machine',
  status: { observedGeneration: 1, disks: 1 },
} as unknown as KubeObject;

/** A transport that answers every request immediately with the same object, so that the test counts only the client and the controller. */
class InstantTransport extends Transport {
  override request<T>(): Promise<T> {
    return Promise.resolve(stored as unknown as T);
  }
}

interface Sampled {
  readonly selfSize: number;
  readonly children: readonly Sampled[];
}
const sizeOf = ({ selfSize, children }: Sampled): number =>
  children.reduce((size, child) => size + sizeOf(child), selfSize);

/** Returns the number of bytes that the work allocates, estimated from samples. Includes the bytes that are already garbage. */
async function bytesOf(work: () => Promise<void>): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: 2048,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    await work();
    const { profile } = await session.post('HeapProfiler.stopSampling');
    return sizeOf(profile.head);
  } finally {
    session.disconnect();
  }
}

/** Returns the bytes of one reconcile, as a multiple of the bytes of one parse of the object. */
async function sizeOfReconcile(reconcile: Reconcile): Promise<number> {
  let left = 0;
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
  left = 1;
  bench.machines.put(stored);
  await bench.settle();
  await runs(2 * RUNS);
  // The smallest of several measurements, because the compiler of V8 also allocates.
  const sizes: number[] = [];
  for (let measured = 0; measured < 3; measured++) sizes.push(await bytesOf(() => runs(RUNS)));
  const text = JSON.stringify(Array.from({ length: 100 }, () => stored));
  let parsed: unknown;
  const yardstick = await bytesOf(async () => {
    for (let at = 0; at < 5; at++) parsed = JSON.parse(text);
  });
  assert.ok(Array.isArray(parsed));
  return Math.min(...sizes) / yardstick;
}

test('a reconcile without a write allocates at most 30 times the bytes of a parse of the object', async () => {
  const ratio = await sizeOfReconcile(async () => Result.done());
  assert.ok(ratio <= 30, `${ratio} times`);
});

test('a reconcile with a status patch allocates at most 75 times the bytes of a parse of the object', async () => {
  const transport = new InstantTransport({ server: 'http://127.0.0.1:9' });
  const client = new CachedClient({
    backend: { transport, discovery: new Discovery(transport) },
    clock: new SystemClock(),
    logger: new RecordingLogger(),
    fieldManager: 'tester',
    kinds: [Machine],
  });
  let disks = 0;
  const ratio = await sizeOfReconcile(async (object) => {
    await client.patchStatus(object, { disks: ++disks } as never);
    return Result.done();
  });
  await transport.close();
  assert.ok(ratio <= 75, `${ratio} times`);
});
