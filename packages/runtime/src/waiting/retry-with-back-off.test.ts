import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../test-support/manual-clock.js';
import { retryWithBackOff } from './retry-with-back-off.js';

/**
 * Returns three values: `attempt` fails at each call before call number `attempts`, `onFailure` records the message of an error, and
 * `reported` contains the recorded messages.
 */
function failing(attempts: number) {
  const reported: unknown[] = [];
  let count = 0;
  const attempt = (): Promise<number> =>
    ++count < attempts ? Promise.reject(new Error(`attempt ${count}`)) : Promise.resolve(count);
  return { attempt, reported, onFailure: (error: unknown) => void reported.push((error as Error).message) };
}
/** Advances the clock by the next delay, and returns this delay. */
async function passDelay(clock: ManualClock): Promise<number> {
  while (clock.pendingMs.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const [delayMs = 0] = clock.pendingMs;
  clock.advance(delayMs);
  return delayMs;
}

test('repeats a failed attempt with increasing delays, and reports each failure', async () => {
  const clock = new ManualClock();
  const { attempt, reported, onFailure } = failing(3);
  const result = retryWithBackOff(attempt, { clock, signal: new AbortController().signal, onFailure });
  const [first, second] = [await passDelay(clock), await passDelay(clock)];
  assert.ok(first >= 800 && first < 1600, `${first} ms`);
  assert.ok(second >= 1600 && second < 3200, `${second} ms`);
  assert.equal(await result, 3);
  assert.deepEqual(reported, ['attempt 1', 'attempt 2']);
});

test('rejects with the reason of the signal if the signal is aborted during a delay', async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  const { attempt, onFailure } = failing(3);
  const result = retryWithBackOff(attempt, { clock, signal: stop.signal, onFailure });
  while (clock.pendingMs.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const reason = new Error('stopped by the test');
  stop.abort(reason);
  await assert.rejects(result, reason);
  assert.deepEqual(clock.pendingMs, []);
});

test('does not report an attempt that fails because the signal was aborted', async () => {
  const stop = new AbortController();
  const { reported, onFailure } = failing(1);
  const attempt = (): Promise<never> => {
    stop.abort(new Error('stopped by the test'));
    return Promise.reject(new Error('aborted attempt'));
  };
  const result = retryWithBackOff(attempt, { clock: new ManualClock(), signal: stop.signal, onFailure });
  await assert.rejects(result, /stopped by the test/);
  assert.deepEqual(reported, []);
});

test('rejects with the error that onFailure throws', async () => {
  const { attempt } = failing(2);
  const onFailure = (error: unknown): never => {
    throw error;
  };
  const { signal } = new AbortController();
  await assert.rejects(retryWithBackOff(attempt, { clock: new ManualClock(), signal, onFailure }), /attempt 1/);
});
