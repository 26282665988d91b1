import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentEntries } from './recent-entries.js';

test('removes the least recently used entry, and peek does not count as a use', () => {
  const entries = new RecentEntries<number>(3);
  for (const [at, key] of ['a', 'b', 'c'].entries()) entries.set(key, at);
  assert.equal(entries.get('a'), 0);
  assert.equal(entries.peek('b'), 1);
  entries.set('d', 3);
  assert.equal(entries.peek('b'), undefined);
  entries.set('c', 4);
  entries.set('e', 5);
  assert.deepEqual(
    [...entries],
    [
      ['d', 3],
      ['c', 4],
      ['e', 5],
    ],
  );
  assert.equal(entries.size, 3);
});

test('supports removing entries during an iteration, and removing all entries', () => {
  const entries = new RecentEntries<number>(4);
  for (const [at, key] of ['a', 'b', 'c', 'd'].entries()) entries.set(key, at);
  for (const [key, value] of entries) if (value % 2 === 0) entries.delete(key);
  entries.delete('nobody');
  assert.deepEqual(
    [...entries].map(([key]) => key),
    ['b', 'd'],
  );
  entries.delete('d');
  entries.set('e', 4);
  assert.deepEqual(
    [...entries].map(([key]) => key),
    ['b', 'e'],
  );
  entries.clear();
  entries.set('f', 5);
  assert.deepEqual([...entries], [['f', 5]]);
});

test('property: contains the same entries as a simple list with the same operations', () => {
  const entries = new RecentEntries<number>(5);
  let expected: (readonly [string, number])[] = [];
  let seed = 1;
  for (let step = 0; step < 3000; step++) {
    seed = (seed * 48_271) % 2_147_483_647;
    const key = `k${seed % 9}`;
    const known = expected.find(([name]) => name === key);
    const others = expected.filter(([name]) => name !== key);
    if (seed % 7 === 0) {
      entries.delete(key);
      expected = others;
    } else if (seed % 2 === 0) {
      assert.equal(entries.get(key), known?.[1]);
      if (known !== undefined) expected = [...others, known];
    } else {
      entries.set(key, step);
      expected = [...others, [key, step] as const].slice(-5);
    }
    assert.deepEqual([...entries], expected);
  }
});
