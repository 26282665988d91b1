import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countIndexes } from './index-intervals.js';

test('counts the indexes of increasing intervals, and reports decreasing, too large and invalid indexes', () => {
  assert.equal(countIndexes('', 3), 0);
  assert.equal(countIndexes('0-1,2', 3), 3);
  assert.deepEqual(countIndexes('2,1', 3), { error: 'non-increasing order, previous: 2, current: 1' });
  assert.deepEqual(countIndexes('0-3', 3), { error: 'too large index: "3"' });
  assert.deepEqual(countIndexes('x', 3), { error: 'cannot convert string to integer for index: "x"' });
});
