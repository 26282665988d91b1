import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCondition } from '@kubewright/api';
import { counted, done, type MachineObject, machine, setUp } from '../../test-support/controller-bench.js';
import { pauseOf, PAUSED_ANNOTATION } from '../reconciler/pause.js';

const clock = { now: () => new Date('2030-01-01T00:00:00Z') };
const paused = (value: string) => ({ annotations: { [PAUSED_ANNOTATION]: value } });
const minutes = (count: number): number => count * 60_000;

test('the pause annotation pauses an object if the value is true, a time in the future or invalid', () => {
  const recheck = (value: string) => pauseOf(machine('a', {}, paused(value)), clock)?.recheckMs;
  assert.equal(pauseOf(machine('a'), clock), undefined);
  for (const value of ['false', '2029-12-31T23:59:59Z', '2030-01-01T00:00:00Z', '2030-01-01T01:00:00+02:00']) {
    assert.equal(pauseOf(machine('a', {}, paused(value)), clock), undefined, value);
  }
  assert.equal(pauseOf(machine('a', {}, paused('true')), clock)?.problem, undefined);
  assert.equal(recheck('2030-01-01T00:00:10Z'), 10_000);
  assert.equal(recheck('2029-12-31T23:00:10.5-01:00'), 10_500);
  assert.equal(recheck('2031-01-01T00:00:00Z'), minutes(10), 'clocks can be corrected while timers wait');
  for (const value of ['', 'yes', 'True', '2030-13-01T00:00:00Z', '2030-02-01', 'tomorrow']) {
    assert.match(
      pauseOf(machine('a', {}, paused(value)), clock)?.problem ?? '',
      /not 'true', 'false' or a time/,
      value,
    );
  }
});

test('neither reconciles nor finalizes a paused object, adds no finalizer, and reports the pause once', async () => {
  const { calls, run } = counted(done);
  const { machines, settle, advance, runner, logger, written } = await setUp({ reconcile: run, finalize: run });
  machines.put(machine('a', {}, paused('true')));
  await settle();
  machines.put(machine('a', { image: 'x' }, paused('true')));
  await settle();
  await advance(minutes(60));
  const deleted = { ...paused('true'), deletionTimestamp: '2030-01-01T00:00:00Z', finalizers: ['test.dev/machine'] };
  machines.put(machine('a', { image: 'x' }, deleted));
  await settle();
  assert.deepEqual(calls, []);
  assert.equal(runner.stats().paused, 1);
  assert.deepEqual(
    written.map(({ type, status, reason }) => [type, status, reason]),
    [['Paused', 'True', 'PausedByAnnotation']],
  );
  assert.equal(logger.lines.filter(({ message }) => message.startsWith('paused')).length, 1);
  assert.equal(runner.stats().runs, 0);
});

test('reconciles once when the annotation is removed, regardless of `when`, and sets the Paused condition to False', async () => {
  const { calls, run } = counted(done);
  const { machines, settle, runner } = await setUp(run, { when: (change) => change.type !== 'modified' });
  machines.put(machine('a', {}, paused('true')));
  await settle();
  machines.put(machine('a', { image: 'x' }, { annotations: {} }));
  await settle();
  assert.deepEqual(calls, ['a']);
  assert.equal(runner.stats().paused, 0);
  const conditions = findCondition(machines.get({ namespace: 'default', name: 'a' }) as MachineObject, 'Paused');
  assert.equal(conditions?.status, 'False');
});

test('a pause with an end time ends at this time, even if the object changes earlier', async () => {
  const causes: string[] = [];
  const { calls, run } = counted((_, __, context) => {
    causes.push(...context.causes.map(({ kind }) => kind));
    return done();
  });
  const { machines, settle, advance } = await setUp(run, { every: '7m' });
  machines.put(machine('a', {}, paused('2030-01-01T01:00:00Z')));
  await settle();
  for (let at = 0; at < 11; at++) {
    await advance(minutes(5));
    machines.put(machine('a', { image: `${at}` }, paused('2030-01-01T01:00:00Z')));
    await settle();
  }
  await advance(minutes(5) - 1);
  assert.deepEqual(calls, []);
  await advance(1);
  assert.deepEqual([calls, causes], [['a'], ['resumed']]);
  await advance(minutes(7));
  assert.equal(calls.length, 2, 'every continues');
});

test('an invalid value pauses the object and is reported once, with the fix and a Warning event', async () => {
  const { calls, run } = counted(done);
  const { machines, settle, events, logger } = await setUp(run);
  machines.put(machine('a', {}, paused('yes')));
  machines.put(machine('a', { image: 'x' }, paused('yes')));
  await settle();
  machines.put(machine('a', { image: 'y' }, paused('yes')));
  await settle();
  assert.deepEqual(calls, []);
  assert.equal(events.recorded.length, 1);
  assert.match(events.recorded[0] ?? '', /^Warning InvalidPause: annotation kubewright.dev\/paused is 'yes'/);
  assert.equal(logger.lines.filter(({ level }) => level === 'warn').length, 1);
});

test('does not count a deleted object as paused', async () => {
  const { run } = counted(done);
  const { machines, settle, runner } = await setUp(run);
  machines.put(machine('a', {}, paused('true')));
  await settle();
  machines.remove({ namespace: 'default', name: 'a' });
  await settle();
  assert.equal(runner.stats().paused, 0);
});

test('does not change a Paused condition that another client set on an object that was not paused', async () => {
  const { calls, run } = counted(done);
  const { machines, settle, written } = await setUp(run, { reconcileCondition: false });
  const theirs = { type: 'Paused', status: 'True', reason: 'Theirs', message: '', lastTransitionTime: '' } as const;
  machines.put({ ...machine('a'), status: { conditions: [theirs] } } as MachineObject);
  await settle();
  assert.deepEqual([calls, written], [['a'], []]);
});
