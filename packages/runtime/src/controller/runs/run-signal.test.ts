import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../test-support/manual-clock.js';
import { RunLimit } from './run-limit.js';
import { RunSignal } from './run-signal.js';

test('a signal that is first read after the abort is aborted with the reason of the first abort', () => {
  const run = new RunSignal();
  run.abort('first');
  run.abort('second');
  assert.deepEqual([run.signal.aborted, run.signal.reason, run.reason], [true, 'first', 'first']);
  assert.throws(
    () => run.throwIfAborted(),
    (thrown) => thrown === 'first',
  );
});

test('aborts a signal that was read before, and returns the same signal each time', () => {
  const run = new RunSignal();
  const { signal } = run;
  run.throwIfAborted();
  assert.deepEqual([signal.aborted, run.aborted], [false, false]);
  run.abort('stop');
  assert.deepEqual([signal.aborted, signal.reason, run.signal === signal], [true, 'stop', true]);
});

test('calls the listeners that are not removed once, in the order in which they were added', () => {
  const run = new RunSignal();
  const calls: string[] = [];
  const removed = (): void => void calls.push('removed');
  const last = (): void => void calls.push('last');
  const first = {
    handleEvent(): void {
      calls.push(`first ${String(run.reason)}`);
      run.removeEventListener('abort', removed);
      run.addEventListener('abort', () => calls.push('added during the abort'));
    },
  };
  for (const listener of [first, removed, last, first]) run.addEventListener('abort', listener);
  run.abort('stop');
  run.abort('again');
  assert.deepEqual(calls, ['first stop', 'last']);
  run.addEventListener('abort', () => calls.push('added after the abort'));
  run.abort('again');
  assert.equal(calls.length, 2);
});

test('a restart of the time limit does not change the signal of the run before the restart', () => {
  const clock = new ManualClock();
  const limit = new RunLimit(clock, 1000);
  const before = limit.current;
  clock.advance(1000);
  assert.equal(limit.expired, true);
  const restarted = limit.restart();
  assert.deepEqual([before.signal.aborted, restarted.signal.aborted, limit.signal.aborted], [true, false, false]);
  limit.end();
});
