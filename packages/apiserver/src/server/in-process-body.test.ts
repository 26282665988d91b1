import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InProcessBody } from './in-process-body.js';

const half = Buffer.alloc(512 * 1024);

async function textOf(body: InProcessBody): Promise<string> {
  let text = '';
  for await (const chunk of body) text += chunk.toString();
  return text;
}

test('a body is full from 1 MiB of unread bytes, and notifies its listeners when the client has read a part of them', async () => {
  const body = new InProcessBody();
  let drained = 0;
  body.onDrain(() => {
    drained += 1;
  });
  body.append(half);
  assert.equal(body.isFull, false);
  body.append(half);
  body.append(half);
  assert.equal(body.isFull, true);
  await body.next();
  assert.deepEqual([body.isFull, drained], [true, 0]);
  await body.next();
  assert.deepEqual([body.isFull, drained, body.unreadBytes], [false, 1, half.length]);
});

test('a chunk that the client waits for does not count as unread', async () => {
  const body = new InProcessBody();
  const read = body.next();
  body.append(Buffer.from('a'));
  assert.equal(body.unreadBytes, 0);
  assert.deepEqual(await read, { done: false, value: Buffer.from('a') });
});

test('the end of a body follows the unread chunks, with or without an error', async () => {
  const [regular, broken] = [new InProcessBody(), new InProcessBody()];
  for (const body of [regular, broken]) body.append(Buffer.from('a'));
  regular.finish();
  broken.finish({ error: new Error('the connection broke') });
  regular.append(Buffer.from('b'));
  assert.equal(await textOf(regular), 'a');
  assert.equal((await broken.next()).value?.toString(), 'a');
  await assert.rejects(broken.next(), /the connection broke/);
});

test('a discarded body fails without its unread chunks, also while the client waits', async () => {
  const [unread, awaited, ended] = [new InProcessBody(), new InProcessBody(), new InProcessBody()];
  const read = awaited.next();
  for (const body of [unread, ended]) body.append(Buffer.from('a'));
  ended.finish();
  for (const body of [unread, awaited, ended]) body.discard(new Error('the client disconnected'));
  for (const next of [read, unread.next(), ended.next()]) await assert.rejects(next, /the client disconnected/);
});
