import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atMost, DEFAULT_DELAY_RULE, exponential, fastThenSlow, longestOf } from './delay-rule.js';

test('[CG-134] an exponential delay stays at its maximum however many failures there are', () => {
  const rule = exponential({ initialMs: 1, maxMs: 1_000_000 });
  for (const failures of [20, 64, 1000, 100_000, Number.MAX_SAFE_INTEGER]) assert.equal(rule(failures), 1_000_000);
  assert.equal(exponential({ initialMs: 60_000, maxMs: Number.MAX_SAFE_INTEGER })(5000), Number.MAX_SAFE_INTEGER);
});

test('the delay of a controller begins with 5 ms and ends with 1000 s', () => {
  assert.deepEqual([0, 1, 2, 3].map(DEFAULT_DELAY_RULE), [5, 10, 20, 40]);
  assert.equal(DEFAULT_DELAY_RULE(30), 1_000_000);
});

test('[CG-135] the first attempts are fast, the later ones slow', () => {
  const rule = fastThenSlow({ fastMs: 5, slowMs: 10_000, fastAttempts: 3 });
  assert.deepEqual([0, 1, 2, 3, 4].map(rule), [5, 5, 5, 10_000, 10_000]);
});

test('[CG-135] of several rules the longest delay counts', () => {
  const rule = longestOf(
    fastThenSlow({ fastMs: 5, slowMs: 3000, fastAttempts: 3 }),
    exponential({ initialMs: 1, maxMs: 1_000_000 }),
  );
  assert.deepEqual([0, 1, 2, 3, 4].map(rule), [5, 5, 5, 3000, 3000]);
  assert.equal(rule(12), 4096);
});

test('[CG-135] a capped rule never waits longer than its cap', () => {
  const rule = atMost(1000, fastThenSlow({ fastMs: 5, slowMs: 10_000, fastAttempts: 2 }));
  assert.deepEqual([0, 1, 2, 3].map(rule), [5, 5, 1000, 1000]);
});
