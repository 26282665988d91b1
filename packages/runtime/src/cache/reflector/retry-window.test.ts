import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../test-support/manual-clock.js';
import { RetryWindow } from './retry-window.js';

test('[CG-035] allows retries until the allowed time has passed', () => {
  const clock = new ManualClock();
  const window = new RetryWindow(clock, 10_000);
  assert.equal(window.allows(), true);
  clock.advance(9999);
  assert.equal(window.allows(), true);
  clock.advance(1);
  assert.equal(window.allows(), false);
});

test('[CG-035] restarts the allowed time after a minute without failures', () => {
  const clock = new ManualClock();
  const window = new RetryWindow(clock, 10_000);
  window.allows();
  clock.advance(11_000);
  assert.equal(window.allows(), false);
  clock.advance(60_001);
  assert.equal(window.allows(), true);
});

test('[CG-033] never allows a retry if the window is 0 ms', () => {
  assert.equal(new RetryWindow(new ManualClock(), 0).allows(), false);
});
