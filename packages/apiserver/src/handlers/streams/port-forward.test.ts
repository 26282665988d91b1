import assert from 'node:assert/strict';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import type { PortForwardHandler } from '../../controllers/simulation/pod-sessions.js';
import { portForwardAnswer } from './port-forward.js';
import {
  type Connected,
  connectedTo,
  pod,
  spdyControl,
  spdyData,
  spdyFrames,
  SpdyOpener,
  upgradeRequest,
  webSocketFrame,
  webSocketRequest,
} from './stream-client.test.support.js';

const reset = 3;
const headers = { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'portforward.k8s.io' };

function overSpdy(handler: PortForwardHandler): Promise<Connected> {
  return connectedTo(portForwardAnswer(upgradeRequest('', headers), handler, pod));
}

function overWebSocket(query: string, protocol: string, handler: PortForwardHandler): Promise<Connected> {
  return connectedTo(portForwardAnswer(webSocketRequest(query, protocol), handler, pod));
}

describe('portForwardAnswer', { timeout: 30_000 }, () => {
  test('serves more connections one after the other than a client can have open', async () => {
    let count = 0;
    const { client, served } = await overSpdy(({ stream }) => {
      count += 1;
      stream.pipe(stream);
    });
    const opener = new SpdyOpener();
    const frames: Buffer[] = [];
    for (let at = 0; at < 2100; at += 1) {
      const own = { port: '80', requestID: String(at) };
      frames.push(await opener.open(4 * at + 1, { ...own, streamType: 'error' }), spdyData(4 * at + 1, '', 1));
      frames.push(await opener.open(4 * at + 3, { ...own, streamType: 'data' }), spdyData(4 * at + 3, 'x', 1));
    }
    client.write(Buffer.concat(frames));
    let ends = 0;
    for await (const { type, flags } of spdyFrames(client)) {
      if (type === undefined && flags === 1) ends += 1;
      if (ends === 4200) break;
    }
    await served;
    assert.equal(count, 2100);
  });

  test('resets streams with an invalid port or type', async () => {
    let count = 0;
    const { client, served } = await overSpdy(() => {
      count += 1;
    });
    const opener = new SpdyOpener();
    const streams = [{ streamType: 'data' }, { streamType: 'data', port: '0' }, { streamType: 'x', port: '80' }, {}];
    for (const [at, own] of streams.entries()) client.write(await opener.open(2 * at + 1, own));
    const ids: number[] = [];
    for await (const { type, id } of spdyFrames(client)) {
      if (type === reset) ids.push(id);
      if (ids.length === 4) break;
    }
    await served;
    assert.deepEqual([ids, count], [[1, 3, 5, 7], 0]);
  });

  test('resets the stream of a connection that the handler destroys', async () => {
    const { client, served } = await overSpdy(({ stream }) => void stream.destroy());
    const opener = new SpdyOpener();
    client.write(await opener.open(1, { port: '80', streamType: 'error' }));
    client.write(await opener.open(3, { port: '80', streamType: 'data' }));
    for await (const { type, id } of spdyFrames(client)) if (type === reset && id === 3) break;
    await served;
  });

  test('closes a tunnel whose SPDY frames are invalid', async () => {
    const { client, served } = await overWebSocket('', 'SPDY/3.1+portforward.k8s.io', () => undefined);
    const sent = buffer(client);
    client.write(webSocketFrame(spdyControl(reset, Buffer.alloc(0))));
    await served;
    assert.deepEqual(await sent, Buffer.from([0x88, 2, 1000 >> 8, 1000 & 0xff]));
  });

  test('closes the stream of a connection when the client of a WebSocket disconnects', async () => {
    let count = 0;
    const { client, served } = await overWebSocket('ports=80,81', 'v4.channel.k8s.io', async ({ stream }) => {
      stream.resume();
      await once(stream, 'close');
      count += 1;
    });
    client.destroy();
    await served;
    assert.equal(count, 2);
  });

  test('returns 400 for invalid ports', () => {
    const many = Array.from({ length: 129 }, () => '80').join(',');
    for (const ports of ['', 'x', '0', '65536', '80,', many]) {
      const request = webSocketRequest(ports === '' ? '' : `ports=${ports}`, 'v4.channel.k8s.io');
      assert.throws(() => portForwardAnswer(request, () => undefined, pod), /query parameter "ports"/);
    }
  });
});
