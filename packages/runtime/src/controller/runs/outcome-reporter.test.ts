import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TerminalError } from '@kubewright/api/errors';
import { counted, done, machine, type Reconcile, setUp } from '../../test-support/controller-bench.js';
import { refusal } from '../../test-support/object-table.js';

/** Runs a controller whose first writes of a condition fail with the given errors. */
async function unreported(run: Reconcile, failures: readonly unknown[], options = {}) {
  const left = [...failures];
  let written = 0;
  const bench = await setUp(run, options, {
    conditions: {
      patchStatus: async (object) => {
        if (left.length > 0) throw left.shift();
        written++;
        return object;
      },
    },
  });
  return { ...bench, written: () => written };
}

test('if the status write after a successful run fails with 503, the object is reconciled again and the condition is written', async () => {
  const { calls, run } = counted(() => done());
  const { machines, settle, advance, written, runner } = await unreported(run, [refusal(503, 'ServiceUnavailable')]);
  machines.put(machine('a'));
  await settle();
  assert.deepEqual([calls.length, written()], [1, 0]);
  await advance(5);
  assert.deepEqual([calls.length, written()], [2, 1]);
  assert.equal(runner.stats().error, 1);
  for (let at = 0; at < 3; at++) await advance(3_600_000);
  assert.equal(calls.length, 2);
});

test('if the condition for a terminal error cannot be written, reconciles the object once more and then writes the condition', async () => {
  const { calls, run } = counted(() => {
    throw new TerminalError('never');
  });
  const { machines, settle, advance, written } = await unreported(run, [new Error('socket hang up')]);
  machines.put(machine('a'));
  await settle();
  await advance(5);
  assert.deepEqual([calls.length, written()], [2, 1]);
  for (let at = 0; at < 3; at++) await advance(3_600_000);
  assert.equal(calls.length, 2);
});

test('does not requeue an object if the server permanently rejects the condition', async () => {
  const { calls, run } = counted(() => done());
  const { machines, settle, advance, logger } = await unreported(run, [refusal(403, 'Forbidden')]);
  machines.put(machine('a'));
  await settle();
  await advance(3_600_000);
  assert.equal(calls.length, 1);
  assert.ok(logger.lines.some(({ message }) => message === 'cannot write the condition Reconciled'));
});

test('logs for a terminal error that the object waits for a change', async () => {
  for (const [options, awaited] of [
    [{}, 'a change of the object'],
    [{ every: '1h' }, "a change of the object, or for the interval 'every'"],
  ] as const) {
    const { machines, settle, logger } = await setUp(() => {
      throw new TerminalError('never');
    }, options);
    machines.put(machine('a'));
    await settle();
    assert.ok(logger.lines.some(({ message }) => message === `reconcile failed; waiting for ${awaited}`));
  }
});

test('logs a failed write of an error condition only at level debug if the reconcile is retried anyway', async () => {
  const { machines, settle, advance, logger } = await unreported(
    () => {
      throw new Error('connect ECONNREFUSED');
    },
    Array.from({ length: 20 }, () => new Error('connect ECONNREFUSED')),
  );
  machines.put(machine('a'));
  await settle();
  for (let at = 0; at < 5; at++) await advance(100);
  const reported = logger.lines.filter(({ message }) => message === 'cannot write the condition Reconciled');
  assert.ok(reported.length > 0);
  assert.ok(reported.every(({ level }) => level === 'debug'));
});
