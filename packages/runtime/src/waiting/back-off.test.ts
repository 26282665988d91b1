import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../test-support/manual-clock.js';
import { ReflectorBench } from '../test-support/reflector-bench.js';
import { BackOff } from './back-off.js';

test('[CG-237] doubles each delay up to the maximum', () => {
  const backOff = new BackOff(new ManualClock(), { random: () => 0 });
  const delays = Array.from({ length: 8 }, () => backOff.nextMs());
  assert.deepEqual(delays, [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
});

test('[CG-237] uses the given initial delay, maximum and factor', () => {
  const backOff = new BackOff(new ManualClock(), { initialMs: 10, maxMs: 500, factor: 3, random: () => 0 });
  assert.deepEqual(
    Array.from({ length: 6 }, () => backOff.nextMs()),
    [10, 30, 90, 270, 500, 500],
  );
});

test('[CG-238] restarts with the first delay after more than two minutes without attempts', () => {
  const clock = new ManualClock();
  const backOff = new BackOff(clock, { random: () => 0 });
  assert.deepEqual([backOff.nextMs(), backOff.nextMs()], [800, 1600]);
  clock.advance(1600 + 120_000);
  assert.equal(backOff.nextMs(), 3200, 'the two minutes begin when the delay ends');
  clock.advance(3200 + 120_001);
  assert.equal(backOff.nextMs(), 800);
});

test('[CG-239] jitter extends a delay to at most twice its length, and does not affect later delays', () => {
  for (const [random, expected] of [
    [0, [800, 1600]],
    [0.5, [1200, 2400]],
    [0.999, [1599.2, 3198.4]],
  ] as const) {
    const backOff = new BackOff(new ManualClock(), { random: () => random });
    assert.deepEqual([backOff.nextMs(), backOff.nextMs()], expected);
  }
  const delays = Array.from({ length: 50 }, () => new BackOff(new ManualClock()).nextMs());
  assert.ok(delays.every((ms) => ms >= 800 && ms < 1600));
  assert.ok(new Set(delays).size > 1, 'the delays differ');
});

test('[CG-237] stopping a reflector during a back-off delay ends the delay, and the reflector sends no further request', async () => {
  await using bench = await ReflectorBench.start();
  (await bench.server.next()).status(500, 'InternalError');
  await bench.waiting();
  bench.stop.abort(new DOMException('stopped by the test', 'AbortError'));
  await bench.done;
  assert.deepEqual(bench.clock.pendingMs, []);
  assert.equal(bench.server.requests, 1);
});
