import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TerminalError } from '@kubewright/api/errors';
import { counted, done, machine, type Reconcile, setUp } from '../../test-support/controller-bench.js';
import { nextRun, outcomeOfError } from './outcome.js';
import { Result } from './result.js';

const now = new Date('2030-01-01T00:00:00Z');
const again = (result: Result) => nextRun({ kind: 'result', result }, undefined, { now, random: () => 0.5 }).add;

test('[RT-01] done() does not request another run', () => {
  assert.equal(Result.done().kind, 'done');
  assert.equal(again(Result.done()), undefined);
});

test('[RT-02] requeue() requests another run with back-off', () => {
  assert.equal(again(Result.requeue())?.rateLimited, true);
});

test('[RT-03] requeueAfter() and requeueAt() request another run, also with a delay of 0 or a time in the past', () => {
  assert.equal(again(Result.requeueAfter('3s'))?.after, 3000);
  assert.equal(again(Result.requeueAfter('0s'))?.after, 0);
  assert.equal(again(Result.requeueAt(new Date(now.getTime() + 5000)))?.after, 5000);
  assert.equal(again(Result.requeueAt(new Date(0)))?.after, 0);
});

test('[RT-04] [RT-05] accepts a plain function as a reconciler and uses its result or error', async () => {
  let calls = 0;
  const plain: Reconcile = async () => {
    if (++calls === 1) throw new Error('of the function');
    return Result.done();
  };
  const { machines, settle, advance, runner, logger } = await setUp(plain);
  machines.put(machine('a'));
  await settle();
  await advance(5);
  assert.deepEqual([runner.stats().error, runner.stats().success], [1, 1]);
  assert.match(String(logger.lines.find(({ level }) => level === 'error')?.fields.error), /of the function/);
});

test('[RT-06] a terminal error keeps its cause and is found inside other errors', () => {
  const inner = new RangeError('too large');
  const terminal = new TerminalError('never', { cause: inner });
  assert.equal(terminal.cause, inner);
  const outcome = outcomeOfError(new Error('outer', { cause: terminal }));
  assert.equal(outcome.kind === 'error' && outcome.terminal, terminal);
});

test('[RT-07] accepts a terminal error without a cause', () => {
  const terminal = new TerminalError('never');
  assert.equal(terminal.cause, undefined);
  assert.match(String(terminal), /never/);
  const outcome = outcomeOfError(terminal);
  assert.equal(outcome.kind === 'error' && outcome.terminal, terminal);
});

test('[RT-08] calls the reconciler with the object from the cache', async () => {
  const seen: unknown[] = [];
  const { run } = counted((_, object) => {
    seen.push(object);
    return done();
  });
  const { machines, settle } = await setUp(run, { reconcileCondition: false });
  const stored = machines.put(machine('a', { image: 'x' }));
  await settle();
  assert.deepEqual(seen, [stored]);
});

test('[RT-09] does not call the reconciler for a missing object, and reports no error', async () => {
  const { calls, run } = counted(done);
  const { settle, runner, logger } = await setUp(run);
  runner.enqueue({ namespace: 'default', name: 'never-was' });
  await settle();
  assert.deepEqual([calls, runner.stats().error, runner.pending()], [[], 0, []]);
  assert.deepEqual(logger.lines, []);
});

test('[RC-18] [RC-21] later runs use the priority of the result', async () => {
  for (const answer of [
    (priority?: number) => Result.requeue(priority === undefined ? undefined : { priority }),
    (priority?: number) => Result.requeueAfter('5ms', priority === undefined ? {} : { priority }),
    (priority?: number) =>
      Result.requeueAt(new Date(Date.UTC(2030, 0, 1) + 5), priority === undefined ? {} : { priority }),
  ]) {
    const order: string[] = [];
    let release = (): void => undefined;
    const { run } = counted(async (call, { metadata: { name } }) => {
      if (name === 'busy') await new Promise<void>((resolve) => (release = resolve));
      else order.push(name);
      if (name === 'busy') return Result.done();
      if (call > 2) return Result.done();
      return call === 1 ? answer(name === 'urgent' ? 10 : undefined) : Result.requeueAfter('1s');
    });
    const { machines, settle, advance, runner } = await setUp(run, { reconcileCondition: false });
    machines.put(machine('plain'));
    machines.put(machine('urgent'));
    await settle();
    for (const [at, ms] of [5, 1000].entries()) {
      machines.put(machine('busy', { image: `${at}` }));
      await settle();
      await advance(ms);
      release();
      await settle();
    }
    assert.deepEqual(order.slice(0, 4), ['plain', 'urgent', 'urgent', 'plain']);
    assert.deepEqual(order.slice(4), ['urgent', 'plain'], 'the key keeps the priority with which it was taken');
    await runner.stop();
  }
});

test('rejects a priority that is not an integer', () => {
  for (const priority of [0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => Result.requeue({ priority }), { code: 'INVALID_PRIORITY' });
  }
});

test('requeueAfter subtracts a random share of its jitter from the delay', () => {
  assert.equal(again(Result.requeueAfter('60s', { jitter: 0.2 }))?.after, 54_000);
  assert.equal(again(Result.requeueAfter('60s'))?.after, 60_000);
  for (const jitter of [-0.1, 1.1, Number.NaN]) {
    assert.throws(() => Result.requeueAfter('1s', { jitter }), { code: 'INVALID_JITTER', message: /from 0 to 1/ });
  }
});
