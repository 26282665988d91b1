import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatIndexes, parseIndexes } from './job-indexes.js';

test('indexes in a row are written from the first to the last', () => {
  assert.equal(formatIndexes([]), '');
  assert.equal(formatIndexes([3, 1, 2, 2]), '1-3');
  assert.equal(formatIndexes([0, 1, 4, 6, 7, 8]), '0,1,4,6-8');
});

test('what was written is read again', () => {
  for (const indexes of [[], [0], [0, 1], [0, 2, 3, 4, 9]]) {
    assert.deepEqual(parseIndexes(formatIndexes(indexes)), indexes);
  }
});
