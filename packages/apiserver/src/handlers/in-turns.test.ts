import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurns } from './in-turns.js';

function work(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

test('serves other requests between long steps, and before the result of the steps is used', async () => {
  const seen: string[] = [];
  setImmediate(() => seen.push('other'));
  const result = await inTurns(
    (function* () {
      seen.push('first');
      work(11);
      yield;
      seen.push('second');
      setImmediate(() => seen.push('another'));
      work(11);
      return 'result';
    })(),
  );
  assert.deepEqual([...seen, result], ['first', 'other', 'second', 'another', 'result']);
});

test('rejects with the error of a step', async () => {
  await assert.rejects(
    inTurns(
      (function* () {
        yield;
        throw new RangeError('refused');
      })(),
    ),
    RangeError,
  );
});
