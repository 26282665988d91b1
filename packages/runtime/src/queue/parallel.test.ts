import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachInParallel } from './parallel.js';

const items = Array.from({ length: 100 }, (_, at) => at);

test('[CG-139] processes every item once, with a limited number of items at a time', async () => {
  const seen: number[] = [];
  let [running, most] = [0, 0];
  await forEachInParallel(
    items,
    async (item) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      seen.push(item);
      running--;
    },
    { concurrency: 7 },
  );
  assert.deepEqual(
    seen.toSorted((a, b) => a - b),
    items,
  );
  assert.equal(most, 7);
});

test('[CG-139] processes all other items if one item fails', async () => {
  const seen: number[] = [];
  const work = async (item: number): Promise<void> => {
    if (item === 3) throw new Error('three');
    seen.push(item);
  };
  await assert.rejects(forEachInParallel(items, work, { concurrency: 2 }), /three/);
  assert.equal(seen.length, 99);
});

test('[CG-139] starts no further items after the signal is aborted', async () => {
  const stop = new AbortController();
  const seen: number[] = [];
  const work = async (item: number): Promise<void> => {
    seen.push(item);
    if (item === 10) stop.abort(new Error('stopped'));
  };
  await assert.rejects(forEachInParallel(items, work, { concurrency: 1, signal: stop.signal }), /stopped/);
  assert.equal(seen.length, 11);
});

test('resolves immediately if there are no items', async () => {
  await forEachInParallel([], () => Promise.reject(new Error('called')));
});
