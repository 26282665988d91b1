import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SystemClock, type SystemClockOptions } from './system-clock.js';

const COUNT = 20_000;

/** Returns the number of timers that keep the process alive. */
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

/** Returns the number of additional timers that keep the process alive while one timer of the clock is pending. */
function activeTimers(options?: SystemClockOptions): number {
  const before = timers();
  const timer = new SystemClock(options).schedule(60_000, () => undefined);
  const during = timers();
  timer.cancel();
  assert.equal(timers(), before);
  return during - before;
}

test('a pending timer keeps the process alive only if keepAlive is set', () => {
  assert.equal(activeTimers(), 0);
  assert.equal(activeTimers({ keepAlive: true }), 1);
});

test('sleep keeps the process alive until it completes or is aborted', async () => {
  const before = timers();
  const slept = new SystemClock().sleep('1ms');
  assert.equal(timers(), before + 1);
  await slept;
  assert.equal(timers(), before);
  const stop = new AbortController();
  const ended = new SystemClock().sleep('1h', stop.signal);
  stop.abort();
  await assert.rejects(ended, { name: 'AbortError' });
  assert.equal(timers(), before);
});

test('a canceled timer does not leak memory', () => {
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  const clock = new SystemClock();
  // Each timer has a different duration, like timers with jitter.
  let delayMs = 60_000;
  const growth = (): number => {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < COUNT; at++) clock.schedule(delayMs++, () => undefined).cancel();
    collect();
    return process.memoryUsage().heapUsed - before;
  };
  // The first run compiles the code.
  growth();
  // Other work of the process can only increase a measurement, so the minimum is used. A leak affects every measurement.
  const bytes = Math.min(...Array.from({ length: 3 }, growth));
  assert.ok(bytes < COUNT * 50, `${COUNT} timers leave ${bytes} bytes`);
});
