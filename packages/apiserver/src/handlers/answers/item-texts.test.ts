import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ItemTexts } from './item-texts.js';

/** Returns a function that writes 100 units for an item, and the number of its calls. */
function counted(): { readonly write: (item: object) => string; readonly count: () => number } {
  let calls = 0;
  return {
    write: () => {
      calls += 1;
      return 'x'.repeat(100);
    },
    count: () => calls,
  };
}

test('writes an item once', () => {
  const { write, count } = counted();
  const texts = new ItemTexts();
  const item = {};
  assert.equal(texts.of(item, write), texts.of(item, write));
  assert.equal(count(), 1);
});

test('keeps the texts of the items that were used last, within the limit', () => {
  const { write, count } = counted();
  // The texts of 10 items, which take 200 bytes each.
  const texts = new ItemTexts(2000);
  const items = Array.from({ length: 100 }, () => ({}));
  const hot = items[0] as object;
  for (const item of items) {
    texts.of(item, write);
    texts.of(hot, write);
  }
  assert.equal(count(), 100, 'an item that is in use was written again');
  for (const item of items.slice(-5)) texts.of(item, write);
  assert.equal(count(), 100, 'one of the last five items was written again');
  for (const item of items.slice(1, 80)) texts.of(item, write);
  assert.equal(count(), 179, 'the cache exceeds its limit');
});

test('does not cache a text that exceeds the limit', () => {
  const { write, count } = counted();
  const texts = new ItemTexts(399);
  const item = {};
  texts.of(item, write);
  texts.of(item, write);
  assert.equal(count(), 2);
});

test('does not keep items in memory', async () => {
  const texts = new ItemTexts();
  const used = (): WeakRef<object> => {
    const item = {};
    texts.of(item, () => 'x');
    return new WeakRef(item);
  };
  const reference = used();
  // A WeakRef keeps its object in memory until the end of the turn in which the WeakRef was created.
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  assert.equal(reference.deref(), undefined);
});
