import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IndexSet } from './job-indexes.js';

const most = 2 ** 31 - 1;

test('an index set writes three or more consecutive indexes as a range', () => {
  const none = IndexSet.parse('');
  assert.equal(String(none), '');
  assert.equal(String(none.with([3, 1, 2, 2], 10)), '1-3');
  assert.equal(String(none.with([0, 1, 4, 6, 7, 8], 10)), '0,1,4,6-8');
  assert.equal(String(none.with([0, 1, 4, 6, 7, 8], 7)), '0,1,4,6');
});

test('an index set can be parsed from the text that toString returns', () => {
  for (const text of ['', '0', '0,1', '0,2-4,9']) assert.equal(String(IndexSet.parse(text)), text);
});

test('an index set counts and compares indexes without listing them', () => {
  const all = IndexSet.parse(`0-${most}`);
  assert.equal(all.size, most + 1);
  assert.equal(all.countCommon(IndexSet.parse(`1,3-5,${most}`)), 5);
  assert.equal(IndexSet.parse('0,2-4,8-9').countCommon(IndexSet.parse('1-3,4,9-12')), 4);
  assert.equal(String(all.with([], most)), `0-${most - 1}`);
});

test('an index set returns missing indexes in ascending order', () => {
  assert.deepEqual([...IndexSet.parse('0,2-4,7-9').missing(9)], [1, 5, 6]);
  assert.deepEqual([...IndexSet.parse('').missing(2)], [0, 1]);
  assert.deepEqual([...IndexSet.parse('0-3').missing(4)], []);
  const { value } = IndexSet.parse(`0-${most - 2}`)
    .missing(most)
    .next();
  assert.equal(value, most - 1);
});

test('an index set contains exactly the indexes of its ranges', () => {
  for (const text of ['', '0', '1-3', '0,2-4,7,9-11']) {
    const set = IndexSet.parse(text);
    const missing = new Set(set.missing(13));
    for (let index = 0; index < 13; index += 1)
      assert.equal(set.has(index), !missing.has(index), `${index} in ${text}`);
  }
});
