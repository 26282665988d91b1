import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Channel } from './channel.js';

test('delivers in order the items that were sent before the first read, and ends when the channel is closed', async () => {
  const channel = new Channel<number>();
  for (const item of [1, 2, 3]) await channel.send(item);
  assert.equal(channel.size, 3);
  channel.close();
  const read: number[] = [];
  for await (const item of channel) read.push(item);
  assert.deepEqual(read, [1, 2, 3]);
  await assert.rejects(channel.send(4), { code: 'CHANNEL_CLOSED' });
});

test('send to a full channel accepts the item and waits until a reader takes an item', async () => {
  const channel = new Channel<number>({ buffer: 2 });
  await channel.send(1);
  let sent = false;
  const sending = channel.send(2).then(() => (sent = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([sent, channel.size], [false, 2]);
  const reader = channel[Symbol.asyncIterator]();
  assert.deepEqual(await reader.next(), { done: false, value: 1 });
  await sending;
  const waiting = channel.send(3);
  channel.close();
  await waiting;
  assert.deepEqual(await reader.next(), { done: false, value: 2 });
});

test('a reader that is closed while it waits does not consume the next item', async () => {
  const channel = new Channel<string>();
  const closed = channel[Symbol.asyncIterator]();
  const waiting = closed.next();
  await closed.return?.();
  assert.deepEqual(await waiting, { done: true, value: undefined });
  await channel.send('kept');
  assert.deepEqual(await channel[Symbol.asyncIterator]().next(), { done: false, value: 'kept' });
});

test('rejects an invalid buffer size', () => {
  for (const buffer of [0, -1, Number.NaN]) assert.throws(() => new Channel({ buffer }), { code: 'INVALID_OPTION' });
});
