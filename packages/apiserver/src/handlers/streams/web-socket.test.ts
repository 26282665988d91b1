import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { badRequest } from '../../registry/requests/status-errors.js';
import { connected, upgradeRequest, webSocketFrame } from './stream-client.test.support.js';
import { upgradeOf } from './upgrade.js';
import { WebSocketPeer } from './web-socket.js';

interface Result {
  readonly messages: readonly string[];
  /** The bytes that the client receives. */
  readonly sent: Buffer;
}

/** Sends pieces to a WebSocket, and returns the received messages when the connection is closed. */
async function received(pieces: readonly Buffer[]): Promise<Result> {
  const messages: string[] = [];
  const { client, served } = await connected(async (socket) => {
    for await (const message of new WebSocketPeer(socket).messages()) messages.push(message.toString());
  });
  client.setNoDelay(true);
  const sent = buffer(client);
  for (const piece of pieces) client.write(piece);
  client.end();
  await served;
  return { messages, sent: await sent };
}

/** The frame that closes a connection with a code. */
function closing(code: number): Buffer {
  return Buffer.from([0x88, 2, code >> 8, code & 0xff]);
}

describe('WebSocketPeer', () => {
  test('reads messages whose frames arrive in pieces of one byte', async () => {
    const frames = Buffer.concat([
      webSocketFrame('a'),
      webSocketFrame('b'.repeat(300)),
      webSocketFrame('', { opcode: 8 }),
    ]);
    const { messages, sent } = await received([...frames].map((byte) => Buffer.from([byte])));
    assert.deepEqual(messages, ['a', 'b'.repeat(300)]);
    assert.deepEqual(sent, closing(1000));
  });

  test('joins the fragments of a message, and answers a ping between them', async () => {
    const ping = webSocketFrame('p', { opcode: 9 });
    const { messages, sent } = await received([
      webSocketFrame('a', { isLast: false }),
      ping,
      webSocketFrame('b', { opcode: 0 }),
    ]);
    assert.deepEqual(messages, ['ab']);
    assert.deepEqual(sent, Buffer.from([0x8a, 1, 0x70]));
  });

  const tooLong = Buffer.from([0x82, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
  const invalid: readonly [string, Buffer][] = [
    ['a frame without a mask', webSocketFrame('a', { isMasked: false })],
    ['a reserved bit', Buffer.from([0xc2, 0x80, 0, 0, 0, 0])],
    ['an unknown opcode', webSocketFrame('a', { opcode: 3 })],
    ['a length of 64 bits', tooLong],
    ['a ping with more than 125 bytes', webSocketFrame('x'.repeat(126), { opcode: 9 })],
    ['a fragmented ping', webSocketFrame('a', { opcode: 9, isLast: false })],
  ];
  for (const [name, frame] of invalid) {
    test(`closes the connection after ${name}`, async () => {
      const { messages, sent } = await received([webSocketFrame('first'), frame, webSocketFrame('never read')]);
      assert.deepEqual(messages, ['first']);
      assert.deepEqual(sent, closing(1002));
    });
  }

  test('closes the connection after too many fragments', async () => {
    const fragments = Array.from({ length: 5000 }, () => webSocketFrame('', { isLast: false }));
    const { messages, sent } = await received([Buffer.concat(fragments)]);
    assert.deepEqual(messages, []);
    assert.deepEqual(sent, closing(1009));
  });

  test('ends without an error if the connection ends within a frame', async () => {
    const { messages } = await received([webSocketFrame('a'), webSocketFrame('bcd').subarray(0, 7)]);
    assert.deepEqual(messages, ['a']);
  });
});

describe('upgradeOf', () => {
  const protocols = { spdy: ['s'], websocket: ['w'] };

  test('returns 400 for a WebSocket without a key', () => {
    const request = upgradeRequest('', { upgrade: 'websocket', 'sec-websocket-protocol': 'w' });
    const error = badRequest('unable to upgrade: missing header Sec-WebSocket-Key in request');
    assert.throws(() => upgradeOf(request, protocols), { message: error.message });
  });

  test('returns 403 for a request without a protocol', () => {
    const request = upgradeRequest('', { upgrade: 'SPDY/3.1' });
    assert.throws(() => upgradeOf(request, protocols), /client supports \[\], server accepts \[s\]/);
  });
});
