import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Steps } from '@kubewright/api/apply';
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

test('serves other requests while a step waits, and before the next step', async () => {
  const seen: string[] = [];
  await inTurns(
    (function* () {
      yield async () => {
        seen.push('begun');
        await new Promise((resolve) => setImmediate(resolve));
        seen.push('ended');
      };
      seen.push('next');
    })(),
  );
  assert.deepEqual(seen, ['begun', 'ended', 'next']);
});

test('rejects with the error of a wait', async () => {
  await assert.rejects(
    inTurns(
      (function* () {
        yield () => Promise.reject(new RangeError('refused'));
      })(),
    ),
    RangeError,
  );
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

test('serves other requests before the error of a long step is handled', async () => {
  const seen: string[] = [];
  const failing = (function* (): Steps<void> {
    yield;
    setImmediate(() => seen.push('other'));
    work(11);
    throw new Error('refused');
  })();
  await inTurns(failing).catch(() => seen.push('refused'));
  assert.deepEqual(seen, ['other', 'refused']);
});
