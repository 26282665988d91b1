import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { ReadableBytes } from './readable-bytes.js';

function setUp(signal?: AbortSignal) {
  const body = new Readable({ read: () => undefined });
  let ends = 0;
  const onEnd = (): void => void ends++;
  const bytes = new ReadableBytes({ code: 200, headers: {}, body, signal, onEnd });
  return { body, bytes, chunks: bytes[Symbol.asyncIterator](), ends: () => ends };
}
const done = { value: undefined, done: true };
const textOf = async (chunks: AsyncIterator<Buffer>): Promise<string | undefined> =>
  (await chunks.next()).value?.toString();

test('returns the chunks that arrive before and after a call of next, and ends after the last one', async () => {
  const { body, chunks, ends } = setUp();
  body.push('a');
  assert.equal(await textOf(chunks), 'a');
  for (const text of ['b', 'c']) {
    const next = textOf(chunks);
    body.push(text);
    assert.equal(await next, text);
  }
  body.push('d');
  body.push(null);
  assert.equal(await textOf(chunks), 'd');
  assert.deepEqual([await chunks.next(), await chunks.next(), ends()], [done, done, 1]);
});

test('a chunk that arrives while no call of next is waiting is not lost', async () => {
  const { body, chunks } = setUp();
  const first = textOf(chunks);
  body.push('a');
  assert.equal(await first, 'a');
  body.push('b');
  await new Promise(setImmediate);
  body.push('c');
  await new Promise(setImmediate);
  assert.equal(await textOf(chunks), 'bc');
});

test('rejects with the error of a broken body, and then ends', async () => {
  const { body, chunks, ends } = setUp();
  const next = chunks.next();
  body.destroy(new Error('broken'));
  await assert.rejects(next, /broken/);
  assert.deepEqual([await chunks.next(), ends()], [done, 1]);
});

test('rejects if the body is closed before its end', async () => {
  const { body, chunks } = setUp();
  const next = chunks.next();
  body.destroy();
  await assert.rejects(next, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
});

test('ends a waiting call of next after close, and destroys the body', async () => {
  const { body, bytes, chunks, ends } = setUp();
  const next = chunks.next();
  bytes.close();
  assert.deepEqual([await next, ends(), body.destroyed], [done, 1, true]);
});

test('rejects a waiting call of next with the reason of an aborted signal, and then ends', async () => {
  const stop = new AbortController();
  const { chunks, ends } = setUp(stop.signal);
  const isReason = (reason: unknown): boolean => reason === 'stop';
  const next = chunks.next();
  stop.abort('stop');
  await assert.rejects(next, isReason);
  assert.deepEqual([await chunks.next(), ends()], [done, 1]);
});

test('a loop that is left early closes the body', async () => {
  const { body, bytes, ends } = setUp();
  body.push('a');
  for await (const chunk of bytes) {
    assert.equal(chunk.toString(), 'a');
    break;
  }
  assert.equal(ends(), 1);
  await new Promise(setImmediate);
  assert.equal(body.destroyed, true);
});

test('creates one promise for each chunk', async () => {
  const { body, bytes, chunks } = setUp();
  const counts: number[] = [];
  let created = 0;
  const hook = createHook({ init: (_id, type) => void (type === 'PROMISE' && created++) });
  for (let run = 0; run < 50; run++) {
    created = 0;
    hook.enable();
    const next = chunks.next();
    body.push('a');
    await next;
    hook.disable();
    counts.push(created);
  }
  bytes.close();
  // `await` creates a second promise.
  assert.equal(Math.min(...counts), 2);
});
