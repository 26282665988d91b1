import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { currentScope } from '../../client/scope/reconcile-scope.js';
import { counted, Disk, disk, type MachineObject, machine, setUp } from '../../test-support/controller-bench.js';
import { Result } from '../reconciler/result.js';

type Bench = Awaited<ReturnType<typeof setUp>>;
const key = { namespace: 'default', name: 'a' };

/** Writes to the machine, with the changes of metadata that the server makes. */
function patch(bench: Bench, change: Partial<MachineObject>, subresource?: 'status'): void {
  const before = bench.machines.get(key) as MachineObject;
  const metadata = { ...before.metadata, ...change.metadata };
  const object = bench.machines.put({ ...before, ...change, metadata });
  currentScope()?.onWrite?.({ verb: 'patch', object, subresource: subresource ?? '' }, { body: change, before });
}
const writes: Readonly<Record<string, (bench: Bench, call: number) => void>> = {
  'its status': (bench, call) =>
    patch(bench, { status: { observedGeneration: 1, phase: `${call}` } as object }, 'status'),
  'its spec': (bench, call) =>
    patch(bench, {
      spec: { image: `${call}` },
      metadata: { ...bench.machines.get(key)?.metadata, generation: call + 1 } as KubeObject['metadata'],
    }),
  'its annotations': (bench, call) =>
    patch(bench, {
      metadata: { ...bench.machines.get(key)?.metadata, annotations: { n: `${call}` } } as KubeObject['metadata'],
    }),
  'a child': (bench, call) => {
    const { name, uid } = (bench.machines.get(key) as KubeObject).metadata;
    const ownerReferences = [{ apiVersion: 'test.dev/v1', kind: 'Machine', name, controller: true, uid }];
    const before = bench.disks.get({ ...key, name: 'd' }) ?? disk('d', { ownerReferences });
    const object = bench.disks.put(disk('d', { ownerReferences, annotations: { n: `${call}` } }));
    currentScope()?.onWrite?.({ verb: 'apply', object }, { body: { metadata: object.metadata }, before });
  },
};
function fail(): never {
  throw new Error('failed');
}
const requests: Readonly<
  Record<string, { readonly act: () => Result; readonly options?: Parameters<typeof setUp>[1] }>
> = {
  "requeueAfter('1ms')": { act: () => Result.requeueAfter('1ms') },
  "requeueAfter('900ms')": { act: () => Result.requeueAfter('900ms') },
  'requeueAt of a time in the past': { act: () => Result.requeueAt(new Date(0)) },
  'requeue() with a constant back-off': { act: () => Result.requeue(), options: { backoff: () => 1 } },
  'an error with a constant back-off': { act: fail, options: { backoff: () => 1 } },
  "every: '20ms'": { act: () => Result.done(), options: { every: '20ms' } },
};

/** Runs a controller of one machine for one minute. */
async function minute(act: (bench: Bench, call: number) => Result, options: Parameters<typeof setUp>[1] = {}) {
  const { calls, run } = counted((call) => act(bench, call));
  const bench: Bench = await setUp(run, { owns: [Disk], reconcileCondition: false, ...options });
  bench.machines.put(machine('a', { image: '0' }, { generation: 1, uid: 'u' }));
  await bench.settle();
  while (bench.clock.monotonicMs() < 60_000) {
    await bench.advance(Math.max(1, Math.min(60_000 - bench.clock.monotonicMs(), bench.clock.pendingMs[0] ?? 60_000)));
  }
  const warnings = bench.logger.lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
  const { hotLoops } = bench.runner.stats();
  await bench.runner.stop();
  return { calls: calls.length, warnings, hotLoops, bench };
}

for (const [what, write] of Object.entries(writes)) {
  for (const [how, { act, options }] of Object.entries(requests)) {
    test(`delays the reconciles of a reconciler that writes a different value to ${what} in each run and requests the next run by ${how}`, async () => {
      const { calls, warnings, hotLoops } = await minute((bench, call) => {
        write(bench, call);
        return act();
      }, options);
      assert.ok(calls >= 21 && calls <= 32, `${calls} runs in a minute`);
      assert.equal(hotLoops, 1);
      assert.match(
        warnings.join(),
        / repeatedly: 'machine' requests the next run within a second and writes a different value/,
      );
    });
  }
}

test('does not delay a reconciler that polls fast without writes or writes once a second', async () => {
  const polls = await minute(() => Result.requeueAfter('100ms'));
  assert.deepEqual([polls.calls, polls.hotLoops], [601, 0]);
  const progress = await minute((bench, call) => {
    writes['its status']?.(bench, call);
    return Result.requeueAfter('1s');
  });
  assert.deepEqual([progress.calls, progress.hotLoops], [61, 0]);
});

test('continues to delay a polling reconciler if it writes less often only because the delay also slows the other writer', async () => {
  const { calls, hotLoops } = await minute((bench, call) => {
    const { annotations = {} } = bench.machines.get(key)?.metadata ?? {};
    // At first, the other writer reacts to every run, and later only to every second run.
    const isUndone = call <= 21 || call % 2 === 0;
    if (isUndone) writes['its annotations']?.(bench, Number(annotations['n'] ?? 0) + 1);
    return Result.requeueAfter('10ms');
  });
  assert.equal(hotLoops, 1);
  assert.ok(calls <= 40, `${calls} runs in a minute`);
});
