import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../test-support/manual-clock.js';
import { EarliestTimer } from './earliest-timer.js';

test('a timer that waits for the rest of a period fires at a later time, although the rest is a result of rounding', () => {
  const clock = new ManualClock();
  const startMs = 56_713.01400647584;
  clock.block(startMs);
  assert.ok(startMs + 30_000 - startMs < 30_000);
  const firedMs: number[] = [];
  const timer = new EarliestTimer(clock, () => {
    firedMs.push(clock.monotonicMs());
    const passedMs = clock.monotonicMs() - startMs;
    if (passedMs < 30_000 && firedMs.length < 10) timer.set(30_000 - passedMs);
  });
  timer.set(30_000);
  clock.advance(40_000);
  assert.deepEqual(firedMs, [startMs + 30_000, startMs + 30_000 + 1]);
});

test('only the earliest time counts, and a timer can be set again after it fires', () => {
  const clock = new ManualClock();
  const firedMs: number[] = [];
  const timer = new EarliestTimer(clock, () => firedMs.push(clock.monotonicMs()));
  for (const delayMs of [500, 200, 300]) timer.set(delayMs);
  clock.advance(1000);
  timer.set(100);
  clock.advance(1000);
  timer.set(100);
  timer.cancel();
  clock.advance(1000);
  assert.deepEqual(firedMs, [200, 1100]);
});
