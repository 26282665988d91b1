import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SystemClock, type SystemClockOptions } from './system-clock.js';

/** How many more timers keep the process alive while one of such a clock is pending. */
function keptAliveBy(options?: SystemClockOptions): number {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const timer = new SystemClock(options).schedule(60_000, () => undefined);
  const during = timers();
  timer.cancel();
  assert.equal(timers(), before);
  return during - before;
}

test('a pending timer keeps the process alive where that is asked for', () => {
  assert.equal(keptAliveBy(), 0);
  assert.equal(keptAliveBy({ keepAlive: true }), 1);
});
