import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { counted, Disk, disk, done, machine, setUp } from '../test-support/controller-bench.js';
import { Result } from './reconciler/result.js';

test('`minInterval` limits the reconciles of an object to one per interval, including retries, and does not delay other objects', async () => {
  const { calls, run } = counted((call, object) => {
    if (object.metadata.name === 'a' && call === 1) throw new Error('failed');
    return Result.done();
  });
  const { machines, settle, advance } = await setUp(run, { minInterval: '10s' });
  machines.put(machine('a'));
  machines.put(machine('b'));
  await settle();
  await advance(9_999);
  assert.deepEqual(calls, ['a', 'b']);
  await advance(1);
  assert.deepEqual(calls, ['a', 'b', 'a']);
  machines.put(machine('b', { image: 'x' }));
  await settle();
  assert.deepEqual(calls, ['a', 'b', 'a', 'b'], 'a key that was quiet for the whole interval does not wait');
});

test('`debounce` combines all changes within the interval into one reconcile that has all causes', async () => {
  const causes: string[][] = [];
  const { calls, run } = counted((_, __, context) => {
    causes.push(context.causes.map(({ kind, changedPaths = [] }) => [kind, ...changedPaths].join(' ')));
    return done();
  });
  const { machines, settle, advance } = await setUp(run, { debounce: '1s' });
  machines.put(machine('a'));
  await settle();
  await advance(600);
  machines.put(machine('a', { image: 'x' }));
  await settle();
  await advance(399);
  assert.deepEqual(calls, []);
  await advance(1);
  assert.deepEqual(calls, ['a'], 'later changes do not move the end of the wait');
  assert.deepEqual(causes, [['added', 'modified spec.image']]);
  await advance(10_000);
  assert.deepEqual(calls, ['a']);
});

test('debounce does not delay a reconcile that is not caused by a change, such as a requeue', async () => {
  const { calls, run } = counted((call) => (call === 1 ? Result.requeueAfter('5s') : done()));
  const { machines, settle, advance, runner } = await setUp(run, { debounce: '2s' });
  machines.put(machine('a'));
  await settle();
  await advance(2000);
  assert.equal(calls.length, 1);
  await advance(5000);
  assert.equal(calls.length, 2);
  runner.enqueue({ namespace: 'default', name: 'a' });
  await settle();
  assert.equal(calls.length, 3);
});

test('property: minInterval separates the runs of an object, and every change is followed by a run', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('change' as const) }),
    fc.record({ do: fc.constant('child' as const) }),
    fc.record({ do: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 900 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const starts: number[] = [];
      let seen = '';
      const { run } = counted((_, object) => {
        starts.push(bench.clock.monotonicMs());
        seen = JSON.stringify(object);
        return done();
      });
      const bench = await setUp(run, { minInterval: '1s', debounce: '300ms', owns: [Disk], reconcileCondition: false });
      const { machines, disks, settle, advance, runner } = bench;
      const { uid } = machines.put(machine('a')).metadata;
      const owner = { apiVersion: 'test.dev/v1', kind: 'Machine', name: 'a', controller: true, uid };
      for (const [at, each] of steps.entries()) {
        if (each.do === 'change') machines.put(machine('a', { image: `${at}` }));
        else if (each.do === 'child') disks.put(disk('d', { ownerReferences: [owner], labels: { version: `${at}` } }));
        else await advance(each.ms);
        await settle();
      }
      await advance(1000);
      await advance(1000);
      for (const [at, start] of starts.entries()) assert.ok(at === 0 || start - (starts[at - 1] ?? 0) >= 1000);
      assert.equal(seen, JSON.stringify(machines.get({ namespace: 'default', name: 'a' })));
      await runner.stop();
    }),
    { numRuns: 40 },
  );
});
