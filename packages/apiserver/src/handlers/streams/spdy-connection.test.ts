import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { SpdyConnection, type SpdyStream } from './spdy-connection.js';
import {
  type Connected,
  connected,
  spdyControl,
  spdyData,
  spdyFrames,
  SpdyOpener,
} from './stream-client.test.support.js';

const types = { synReply: 2, reset: 3, ping: 6 } as const;

/** Serves a SPDY connection, and returns the streams that the client opens. */
async function spdy(onStream?: (opened: SpdyStream) => void): Promise<Connected & { readonly opened: SpdyStream[] }> {
  const opened: SpdyStream[] = [];
  const connection = await connected((socket) =>
    new SpdyConnection(socket, (stream) => {
      opened.push(stream);
      onStream?.(stream);
    }).run(),
  );
  return { ...connection, opened };
}

/** Returns the body of a frame with the ID of a stream. */
function idBody(id: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeUInt32BE(id);
  return body;
}

describe('SpdyConnection', () => {
  test('reads the headers and the data of a stream in pieces of one byte', async () => {
    const { client, served, opened } = await spdy();
    client.setNoDelay(true);
    const open = await new SpdyOpener().open(1, { StreamType: 'data', port: '80' });
    for (const byte of Buffer.concat([open, spdyData(1, 'hello', 1)])) client.write(Buffer.from([byte]));
    for await (const { type } of spdyFrames(client)) if (type === types.synReply) break;
    await served;
    assert.deepEqual(
      [...(opened[0]?.headers ?? [])],
      [
        ['streamtype', 'data'],
        ['port', '80'],
      ],
    );
  });

  test('ends a stream with its data', async () => {
    let text = '';
    const { client, served } = await spdy(({ stream }) => {
      stream.on('data', (data: Buffer) => (text += data.toString()));
      stream.on('end', () => client.destroy());
    });
    client.write(Buffer.concat([await new SpdyOpener().open(1, {}), spdyData(1, 'hello', 1)]));
    await served;
    assert.equal(text, 'hello');
  });

  const count = Buffer.from([0xff, 0xff, 0xff, 0xff]);
  const invalid: readonly [string, () => Promise<Buffer>][] = [
    ['headers that are not compressed', async () => spdyControl(1, Buffer.alloc(40, 'x'))],
    ['a frame without headers', async () => spdyControl(1, Buffer.alloc(10))],
    ['a frame without an ID', async () => spdyControl(1, Buffer.alloc(2))],
    ['a reset without an ID', async () => spdyControl(types.reset, Buffer.alloc(2))],
    ['a wrong number of headers', () => new SpdyOpener().openRaw(1, count)],
    [
      'a wrong length of a header',
      () => new SpdyOpener().openRaw(1, Buffer.concat([Buffer.from([0, 0, 0, 1]), count])),
    ],
    ['headers of 20 KB', () => new SpdyOpener().openRaw(1, Buffer.alloc(20_000))],
    ['headers that decompress to 100 MB', () => new SpdyOpener().openRaw(1, Buffer.alloc(100_000_000))],
    ['the ID 0', () => new SpdyOpener().open(0, {})],
  ];
  for (const [name, frame] of invalid) {
    test(`closes the connection after ${name}`, { timeout: 10_000 }, async () => {
      const { client, served, opened } = await spdy();
      client.resume();
      client.write(await frame());
      await served;
      assert.deepEqual(opened, []);
    });
  }

  test('closes the connection if a client uses an ID again', { timeout: 10_000 }, async () => {
    const { client, served, opened } = await spdy();
    const opener = new SpdyOpener();
    client.resume();
    for (const id of [1, 3, 1]) client.write(await opener.open(id, {}));
    await served;
    assert.deepEqual(
      opened.map(({ id }) => id),
      [1, 3],
    );
    assert.ok(opened.every(({ stream }) => stream.destroyed));
  });

  test('closes the connection after too many open streams', { timeout: 30_000 }, async () => {
    const { client, served, opened } = await spdy();
    const opener = new SpdyOpener();
    client.resume();
    const frames: Buffer[] = [];
    for (let at = 0; at < 4100; at += 1) frames.push(await opener.open(2 * at + 1, {}));
    client.write(Buffer.concat(frames));
    await served;
    assert.equal(opened.length, 4096);
  });

  test('resets a stream that is destroyed before its end, and not a stream that the client has reset', async () => {
    const { client, served } = await spdy(({ id, stream }) => {
      if (id === 3) stream.destroy();
    });
    const opener = new SpdyOpener();
    const open = [await opener.open(1, {}), spdyControl(types.reset, idBody(1)), await opener.open(3, {})];
    client.write(Buffer.concat([...open, spdyControl(types.ping, idBody(7))]));
    const found: string[] = [];
    for await (const { type, id } of spdyFrames(client)) {
      found.push(`${type} ${id}`);
      if (type === types.ping) break;
    }
    await served;
    const expected = [`${types.synReply} 1`, `${types.synReply} 3`, `${types.reset} 3`, `${types.ping} 7`];
    assert.deepEqual(found.toSorted(), expected);
  });

  test('stops reading while a client does not read the answers to its pings', async () => {
    const { client, socket, served } = await spdy();
    const ping = spdyControl(types.ping, Buffer.alloc(64 * 1024));
    for (let at = 0; at < 1000; at += 1) client.write(ping);
    while (socket.writableLength === 0) await setImmediate();
    for (let turn = 0; turn < 1000; turn += 1) await setImmediate();
    assert.ok(socket.writableLength < 1024 * 1024, `${socket.writableLength} bytes wait to be sent`);
    client.destroy();
    socket.destroy();
    await served;
  });
});
