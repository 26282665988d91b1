import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atMost, DEFAULT_DELAY_RULE, exponential, fastThenSlow, guardedDelayRule, longestOf } from './delay-rule.js';

test('[CG-134] an exponential delay stays at its maximum however many failures there are', () => {
  const rule = exponential({ initial: '1ms', max: '1000s' });
  for (const failures of [20, 64, 1000, 100_000, Number.MAX_SAFE_INTEGER]) assert.equal(rule(failures), 1_000_000);
  assert.equal(exponential({ initial: '1m', max: '9999999d' })(5000), 9_999_999 * 86_400_000);
});

test('the delay of a controller begins with 5 ms and ends with 1000 s', () => {
  assert.deepEqual([0, 1, 2, 3].map(DEFAULT_DELAY_RULE), [5, 10, 20, 40]);
  assert.equal(DEFAULT_DELAY_RULE(30), 1_000_000);
});

test('[CG-135] the first attempts are fast, the later ones slow', () => {
  const rule = fastThenSlow({ fast: '5ms', slow: '10s', fastAttempts: 3 });
  assert.deepEqual([0, 1, 2, 3, 4].map(rule), [5, 5, 5, 10_000, 10_000]);
});

test('[CG-135] of several rules the longest delay counts', () => {
  const rule = longestOf(
    fastThenSlow({ fast: '5ms', slow: '3s', fastAttempts: 3 }),
    exponential({ initial: '1ms', max: '1000s' }),
  );
  assert.deepEqual([0, 1, 2, 3, 4].map(rule), [5, 5, 5, 3000, 3000]);
  assert.equal(rule(12), 4096);
});

test('[CG-135] a capped rule never waits longer than its cap', () => {
  const rule = atMost('1s', fastThenSlow({ fast: '5ms', slow: '10s', fastAttempts: 2 }));
  assert.deepEqual([0, 1, 2, 3].map(rule), [5, 5, 1000, 1000]);
});

test('a rule that throws or gives no time is told, and the default counts in its place', () => {
  const mistakes: string[] = [];
  const tell = (error: unknown): void => void mistakes.push(String(error));
  const throwing = guardedDelayRule(() => {
    throw new Error('no rule');
  }, tell);
  assert.equal(throwing(1), 10);
  for (const delay of [Number.NaN, -1, Number.POSITIVE_INFINITY, undefined as never]) {
    assert.equal(guardedDelayRule(() => delay, tell)(0), 5);
  }
  assert.match(mistakes[0] ?? '', /no rule/);
  assert.match(mistakes[1] ?? '', /gave NaN: return milliseconds from 0 up/);
  assert.equal(mistakes.length, 5);
});
