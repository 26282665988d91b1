import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ExecHandler, TerminalSize } from '../../controllers/simulation/pod-sessions.js';
import { commandAnswer } from './command-answer.js';
import {
  connectedTo,
  pod,
  spdyData,
  spdyFrames,
  SpdyOpener,
  upgradeRequest,
  webSocketFrame,
  webSocketRequest,
} from './stream-client.test.support.js';

const container = 'main';
const goAway = 7;

/** Runs a handler for a client that uses a WebSocket. */
function overWebSocket(query: string, handler: ExecHandler) {
  return connectedTo(commandAnswer(webSocketRequest(query, 'v5.channel.k8s.io'), handler, { pod, container }));
}

/** Runs a handler for a client that uses SPDY. */
function overSpdy(query: string, handler: ExecHandler) {
  const headers = { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io' };
  return connectedTo(commandAnswer(upgradeRequest(query, headers), handler, { pod, container }));
}

/** Returns the sizes that a handler receives if the client sends the given messages. */
async function sizesOf(messages: readonly (string | Buffer)[]): Promise<readonly TerminalSize[]> {
  const sizes: TerminalSize[] = [];
  const { client, served } = await overWebSocket('tty=true&stdout=true&stdin=true', async ({ onResize, stdin }) => {
    onResize((size) => sizes.push(size));
    await text(stdin);
  });
  client.resume();
  for (const message of messages) client.write(webSocketFrame(Buffer.concat([Buffer.from([4]), Buffer.from(message)])));
  client.write(webSocketFrame(Buffer.from([255, 0])));
  await served;
  return sizes;
}

describe('commandAnswer', { timeout: 30_000 }, () => {
  const small = { width: 80, height: 24 };
  const large = { width: 200, height: 50 };

  test('reports the sizes of a terminal, with and without line breaks', async () => {
    const [first, second] = ['{"Width":80,"Height":24}', '{"Width":200,"Height":50}'];
    assert.deepEqual(await sizesOf([`${first}\n`, `${second}\n`]), [small, large]);
    assert.deepEqual(await sizesOf([first, second]), [small, large]);
    assert.deepEqual(await sizesOf([`${first}${second.slice(0, 5)}`, second.slice(5)]), [small, large]);
  });

  const valid = '{"Width":80,"Height":24}';
  const invalid = [
    '{"Width"}',
    'x}',
    '{"Width":-1}',
    '{"Width":65536}',
    '{"Width":"1"}',
    '{"Width":null}',
    'x'.repeat(2000),
  ];
  for (const size of invalid) {
    test(`ignores all sizes after the invalid size ${size.slice(0, 20)}`, async () => {
      assert.deepEqual(await sizesOf([valid, size, valid]), [small]);
    });
  }

  test('closes a WebSocket after the command if the command does not read its input', async () => {
    const { client, served } = await overWebSocket('stdin=true&stdout=true', () => 'done');
    client.resume();
    const large = webSocketFrame(Buffer.alloc(1024 * 1024));
    for (let at = 0; at < 8; at += 1) client.write(large);
    await Promise.all([served, once(client, 'close')]);
  });

  test('closes a SPDY connection after the command if the command does not read its input', async () => {
    const { client, served } = await overSpdy('stdin=true&stdout=true', async ({ stdin }) => {
      while (stdin.readableLength === 0) await setImmediate();
      return 'done';
    });
    const opener = new SpdyOpener();
    for (const [at, streamType] of ['error', 'stdin', 'stdout'].entries()) {
      client.write(await opener.open(2 * at + 1, { streamType }));
    }
    for (let at = 0; at < 8; at += 1) client.write(spdyData(3, Buffer.alloc(1024 * 1024)));
    for await (const { type } of spdyFrames(client)) if (type === goAway) break;
    await served;
  });

  test('ignores SPDY streams of unknown types', async () => {
    const { client, served } = await overSpdy('stdout=true', () => 'done');
    const opener = new SpdyOpener();
    for (const [at, streamType] of ['toString', '', 'stdout', 'error'].entries()) {
      client.write(await opener.open(2 * at + 1, { streamType }));
    }
    let output = '';
    for await (const { type, id, data } of spdyFrames(client)) {
      if (type === undefined && id === 5) output += data.toString();
      if (type === goAway) break;
    }
    await served;
    assert.equal(output, 'done');
  });

  test('ignores output after the end of a command whose output the client does not read', async () => {
    let output: NodeJS.WritableStream | undefined;
    const { client, served } = await overWebSocket('stdin=true', ({ stdout }) => {
      output = stdout;
      return 0;
    });
    client.resume();
    await served;
    output?.write('late');
    await setImmediate();
  });

  test('aborts the signal of a command when the client disconnects', async () => {
    let isAborted = false;
    const { client, served } = await overWebSocket('stdout=true', async ({ signal, stdout }) => {
      await once(signal, 'abort');
      isAborted = true;
      stdout.write('late');
    });
    client.destroy();
    await served;
    assert.ok(isAborted);
  });
});
