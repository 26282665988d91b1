import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atMost, DEFAULT_DELAY_RULE, exponential, fastThenSlow, guardedDelayRule, longestOf } from './delay-rule.js';

test('[CG-134] an exponential delay never exceeds its maximum, regardless of the number of failures', () => {
  const rule = exponential({ initial: '1ms', max: '1000s' });
  for (const failures of [20, 64, 1000, 100_000, Number.MAX_SAFE_INTEGER]) assert.equal(rule(failures), 1_000_000);
  assert.equal(exponential({ initial: '1m', max: '9999999d' })(5000), 9_999_999 * 86_400_000);
});

test('the delays of the default rule are from 5 ms to 1000 s', () => {
  assert.deepEqual([0, 1, 2, 3].map(DEFAULT_DELAY_RULE), [5, 10, 20, 40]);
  assert.equal(DEFAULT_DELAY_RULE(30), 1_000_000);
});

test('[CG-135] fastThenSlow returns the fast delay for the first failures and the slow delay afterwards', () => {
  const rule = fastThenSlow({ fast: '5ms', slow: '10s', fastAttempts: 3 });
  assert.deepEqual([0, 1, 2, 3, 4].map(rule), [5, 5, 5, 10_000, 10_000]);
});

test('[CG-135] longestOf returns the longest delay of several rules', () => {
  const rule = longestOf(
    fastThenSlow({ fast: '5ms', slow: '3s', fastAttempts: 3 }),
    exponential({ initial: '1ms', max: '1000s' }),
  );
  assert.deepEqual([0, 1, 2, 3, 4].map(rule), [5, 5, 5, 3000, 3000]);
  assert.equal(rule(12), 4096);
});

test('[CG-135] atMost limits the delay of a rule', () => {
  const rule = atMost('1s', fastThenSlow({ fast: '5ms', slow: '10s', fastAttempts: 2 }));
  assert.deepEqual([0, 1, 2, 3].map(rule), [5, 5, 1000, 1000]);
});

test('if a rule throws or returns an invalid delay, reports this and uses the default rule', () => {
  const problems: string[] = [];
  const report = (error: unknown): void => void problems.push(String(error));
  const throwing = guardedDelayRule(() => {
    throw new Error('no rule');
  }, report);
  assert.equal(throwing(1), 10);
  for (const delay of [Number.NaN, -1, Number.POSITIVE_INFINITY, undefined as never]) {
    assert.equal(guardedDelayRule(() => delay, report)(0), 5);
  }
  assert.match(problems[0] ?? '', /no rule/);
  assert.match(problems[1] ?? '', /returned NaN: return milliseconds of at least 0/);
  assert.equal(problems.length, 5);
});
