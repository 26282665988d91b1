import assert from 'node:assert/strict';
import { createSecureServer } from 'node:http2';
import type { RequestListener, Server } from 'node:http';
import { test } from 'node:test';
import { selfSignedCertificate } from '../../serving/self-signed-certificate.js';
import { frameOf, numbers } from '../../test-support/frame-server.js';
import { failed, Http2Bench } from '../../test-support/http2-bench.js';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import { FLAG, FRAME } from '../http2/frames.js';
import { SETTING } from '../http2/frame-writer.js';
import { numberOf } from '../http2/http2-error.js';
import { Transport } from '../sending/transport.js';

const [get, post] = [
  { method: 'GET', path: '/' },
  { method: 'POST', path: '/', body: { a: 1 } },
] as const;
test('over HTTP/2, concurrent requests share a connection, and requests of one turn are sent with one write', async () => {
  await using bench = await Http2Bench.start();
  const connection = await bench.connected();
  const chunks = connection.chunks;
  const answered = Promise.all(Array.from({ length: 16 }, () => bench.transport.request({ ...post, method: 'PATCH' })));
  for (let count = 0; count < 16; count++) {
    await connection.next(FRAME.HEADERS);
    const { stream, payload, flags } = await connection.next(FRAME.DATA);
    assert.deepEqual([String(payload), flags], ['{"a":1}', FLAG.END_STREAM]);
    connection.answer(stream, JSON.stringify({ stream }));
  }
  assert.equal(connection.chunks, chunks + 1);
  assert.deepEqual(
    await answered,
    Array.from({ length: 16 }, (_, index) => ({ stream: 3 + 2 * index })),
  );
});

test('over HTTP/2, sends and receives large bodies, many headers and large headers, as a server of Node.js does', async () => {
  const pair = selfSignedCertificate(['127.0.0.1']);
  const make = (listener: RequestListener): Server =>
    createSecureServer({ ...pair, maxHeaderListPairs: 200 }, listener as never) as unknown as Server;
  await using server = await ScriptedServer.start(make, 'https');
  await using transport = new Transport({ server: server.url, ca: pair.cert, token: 'secret' });
  const sent = { text: 'ü'.repeat(300_000) };
  const received = { text: 'ß'.repeat(3_000_000) };
  let seen: Readonly<Record<string, string | string[] | undefined>> = {};
  const every = Buffer.from(Array.from({ length: 94 }, (_, index) => index + 33)).toString();
  const requests = [1, 2, 3].map((count) =>
    transport.request({
      ...post,
      path: `/${count}`,
      body: sent,
      headers: { 'x-large': 'y'.repeat(20_000), 'x-many': ['1', '2'], 'x-every': every },
      onHeaders: (headers) => {
        seen = headers;
      },
    }),
  );
  for (const count of [1, 2, 3]) {
    const exchange = await server.next();
    assert.equal(exchange.path, `/${count}`);
    assert.equal(exchange.headers['content-type'], 'application/json');
    assert.equal(exchange.headers['content-length'], String(Buffer.byteLength(exchange.body)));
    assert.equal(exchange.headers['authorization'], 'Bearer secret');
    assert.equal(exchange.headers['x-large'], 'y'.repeat(20_000));
    assert.equal(exchange.headers['x-many'], '1, 2');
    assert.equal(exchange.headers['x-every'], every);
    assert.deepEqual(JSON.parse(exchange.body), sent);
    const more = {
      'set-cookie': ['a', 'b'] as unknown as string,
      'x-every': every,
      'x-text': Buffer.from('ü').toString('latin1'),
    };
    exchange.json(200, received, more);
  }
  for (const answer of await Promise.all(requests)) assert.deepEqual(answer, received);
  assert.equal(server.connections, 1);
  assert.deepEqual([seen['set-cookie'], seen['x-text'], seen['x-every']], [['a', 'b'], 'ü', every]);
});

test('over HTTP/2, sends at most as many requests and bytes as the server allows', async () => {
  await using bench = await Http2Bench.start();
  const connection = await bench.connected();
  connection.settings({ [SETTING.MAX_STREAMS]: 1, [SETTING.WINDOW]: 3 });
  await connection.next(FRAME.SETTINGS);
  const answered = Promise.all([1, 2].map(() => bench.transport.request(post)));
  for (const stream of [3, 5]) {
    assert.equal((await connection.next(FRAME.HEADERS)).stream, stream);
    assert.equal(String((await connection.next(FRAME.DATA)).payload), '{"a');
    connection.send(FRAME.WINDOW_UPDATE, 0, { stream, payload: numbers(2) });
    assert.equal(String((await connection.next(FRAME.DATA)).payload), '":');
    connection.settings({ [SETTING.WINDOW]: 100 });
    const last = await connection.next(FRAME.DATA);
    assert.deepEqual([String(last.payload), last.flags], ['1}', FLAG.END_STREAM]);
    connection.settings({ [SETTING.WINDOW]: 3 });
    await connection.next(FRAME.SETTINGS);
    connection.answer(stream);
  }
  await answered;
});

test('over HTTP/2, acknowledges received bytes before the window of the connection is used up', async () => {
  await using bench = await Http2Bench.start();
  const connection = await bench.connected();
  const answered = bench.transport.request(get);
  const { stream } = await connection.next(FRAME.HEADERS);
  connection.send(FRAME.HEADERS, FLAG.END_HEADERS, { stream, payload: Buffer.from([0x88]) });
  const payload = Buffer.alloc(16_384, ' ');
  const frames = frameOf(FRAME.DATA, 0, { stream, payload });
  for (let sent = 0; sent <= 2 ** 25; sent += payload.length) connection.socket.write(frames);
  assert.equal((await connection.next(FRAME.WINDOW_UPDATE)).stream, 0);
  assert.equal((await connection.next(FRAME.WINDOW_UPDATE)).stream, stream);
  connection.send(FRAME.DATA, FLAG.END_STREAM, { stream, payload: Buffer.from('{}') });
  assert.deepEqual(await answered, {});
});

test('over HTTP/2, a request that the server did not process is sent again, also a write, and its fence is called again', async () => {
  await using bench = await Http2Bench.start();
  const first = await bench.connected();
  let calls = 0;
  const fence = (): void => void calls++;
  const processed = bench.transport.request(get);
  const refused = bench.transport.request({ ...post, fence });
  const [one, two] = [await first.next(FRAME.HEADERS), await first.next(FRAME.HEADERS)];
  first.send(FRAME.GOAWAY, 0, { payload: numbers(one.stream, 0) });
  const second = (await bench.server.next()).settings();
  const again = await second.next(FRAME.HEADERS);
  assert.equal(again.stream, 1);
  assert.equal(String((await second.next(FRAME.DATA)).payload), '{"a":1}');
  second.send(FRAME.RST_STREAM, 0, { stream: again.stream, payload: numbers(numberOf('REFUSED_STREAM')) });
  second.answer((await second.next(FRAME.HEADERS)).stream, '{"done":true}');
  assert.deepEqual(await refused, { done: true });
  assert.equal(calls, 4, 'the transport calls the fence before the request, and each connection calls the fence');
  first.answer(one.stream);
  await processed;
  await first.closed;
  assert.ok(two.stream > one.stream);
});

test('over HTTP/2, a request that the server always refuses fails after six attempts', async () => {
  await using bench = await Http2Bench.start();
  const refused = assert.rejects(bench.transport.request(post), failed('REQUEST_FAILED', /refused .* 6 times/));
  const connection = (await bench.server.next()).settings();
  for (let count = 0; count < 6; count++) {
    const { stream } = await connection.next(FRAME.HEADERS);
    connection.send(FRAME.RST_STREAM, 0, { stream, payload: numbers(numberOf('REFUSED_STREAM')) });
  }
  await refused;
});

test('over HTTP/2, a read is sent again after the server reset it, and a write fails', async () => {
  await using bench = await Http2Bench.start();
  const connection = await bench.connected();
  const reset = async (): Promise<void> => {
    const { stream } = await connection.next(FRAME.HEADERS);
    connection.send(FRAME.RST_STREAM, 0, { stream, payload: numbers(numberOf('INTERNAL_ERROR')) });
  };
  const write = assert.rejects(bench.transport.request(post), failed('REQUEST_FAILED', /HTTP\/2 error INTERNAL_ERROR/));
  await reset();
  await write;
  const read = bench.transport.request(get);
  await reset();
  connection.answer((await connection.next(FRAME.HEADERS)).stream);
  await read;
});

test('over HTTP/2, a broken connection fails its writes, and its reads are sent on another connection', async () => {
  await using bench = await Http2Bench.start();
  const first = await bench.connected();
  const read = bench.transport.request(get);
  const write = assert.rejects(
    bench.transport.request(post),
    failed('REQUEST_FAILED', /closed before a response|ECONNRESET/),
  );
  await first.next(FRAME.DATA);
  first.socket.destroy();
  await write;
  const second = (await bench.server.next()).settings();
  second.answer((await second.next(FRAME.HEADERS)).stream);
  await read;
});

test('[CG-180] over HTTP/2, an aborted request is canceled, and the connection continues if it has received data', async () => {
  await using bench = await Http2Bench.start();
  const first = await bench.connected();
  const stop = new AbortController();
  bench.clock.advance(1);
  const aborted = assert.rejects(bench.transport.request({ ...post, signal: stop.signal }), { name: 'AbortError' });
  const other = bench.transport.request(get);
  const { stream } = await first.next(FRAME.DATA);
  const { stream: otherStream } = await first.next(FRAME.HEADERS);
  bench.clock.advance(1);
  first.answer(otherStream);
  await other;
  stop.abort();
  await aborted;
  const reset = await first.next(FRAME.RST_STREAM);
  assert.deepEqual([reset.stream, reset.payload.readUInt32BE()], [stream, numberOf('CANCEL')]);
  // A late response to the aborted request has no effect.
  first.answer(stream);

  const silent = new AbortController();
  const later = assert.rejects(bench.transport.request({ ...get, signal: silent.signal }), { name: 'AbortError' });
  await first.next(FRAME.HEADERS);
  silent.abort();
  await later;
  await first.closed;
  await bench.connected();
});

test('[CG-177] over HTTP/2, detects a dead connection with PING, and sends reads on another connection', async () => {
  await using bench = await Http2Bench.start();
  const first = await bench.connected();
  const read = bench.transport.request(get);
  const write = assert.rejects(
    bench.transport.request(post),
    failed('REQUEST_FAILED', /did not answer a ping within 15 s/),
  );
  await first.next(FRAME.DATA);
  bench.clock.advance(30_000);
  const ping = await first.next(FRAME.PING);
  first.send(FRAME.PING, FLAG.ACK, { payload: ping.payload });
  await bench.clock.scheduled(30_000);
  bench.clock.advance(30_000);
  await first.next(FRAME.PING);
  bench.clock.advance(15_000);
  await write;
  await first.closed;
  const second = (await bench.server.next()).settings();
  second.answer((await second.next(FRAME.HEADERS)).stream);
  await read;
});

test('[CG-178] over HTTP/2, a request without a response fails after the timeout, and other requests continue', async () => {
  await using bench = await Http2Bench.start({ silenceTimeout: '10s' });
  const first = await bench.connected();
  const silent = assert.rejects(bench.transport.request(post), failed('REQUEST_TIMEOUT', /no data received for 10 s/));
  const { stream } = await first.next(FRAME.DATA);
  bench.clock.advance(5000);
  const other = bench.transport.request(get);
  const { stream: otherStream } = await first.next(FRAME.HEADERS);
  first.send(FRAME.HEADERS, FLAG.END_HEADERS, { stream: otherStream, payload: Buffer.from([0x88]) });
  first.send(FRAME.PING, 0, { payload: Buffer.alloc(8) });
  await first.next(FRAME.PING);
  bench.clock.advance(5001);
  await silent;
  assert.equal((await first.next(FRAME.RST_STREAM)).stream, stream);
  first.send(FRAME.DATA, FLAG.END_STREAM, { stream: otherStream, payload: Buffer.from('{}') });
  await other;

  const dead = assert.rejects(bench.transport.request(post), failed('REQUEST_TIMEOUT', /no data received for 10 s/));
  await first.next(FRAME.DATA);
  bench.clock.advance(10_001);
  await dead;
  await first.closed;
});

test('over HTTP/2, closes a connection that is idle for a minute, and responds to PING', async () => {
  await using bench = await Http2Bench.start();
  const connection = await bench.connected();
  connection.send(FRAME.PING, 0, { payload: Buffer.from('12345678') });
  const pong = await connection.next(FRAME.PING);
  assert.deepEqual([String(pong.payload), pong.flags], ['12345678', FLAG.ACK]);
  bench.clock.advance(60_000);
  await connection.next(FRAME.GOAWAY);
  await connection.closed;
});

test('over HTTP/2, sends nothing if the fence throws or a header is invalid', async () => {
  await using bench = await Http2Bench.start();
  const connection = await bench.connected();
  let isOpen = true;
  const fence = (): void => {
    if (!isOpen) throw new Error('not the leader');
  };
  connection.settings({ [SETTING.MAX_STREAMS]: 1 });
  await connection.next(FRAME.SETTINGS);
  const first = bench.transport.request(get);
  const fenced = assert.rejects(bench.transport.request({ ...post, fence }), /not the leader/);
  const { stream } = await connection.next(FRAME.HEADERS);
  isOpen = false;
  connection.answer(stream);
  await Promise.all([first, fenced]);
  for (const headers of [{ 'x-a': 'b\r\nx-c: d' }, { 'x-a\r\n': 'b' }, { 'x-a': 'Ā' }, { ':path': '/b' }]) {
    await assert.rejects(bench.transport.request({ ...get, headers }), failed('REQUEST_FAILED', /header/));
  }
  await assert.rejects(bench.transport.request({ ...get, path: '/a b' }), failed('REQUEST_FAILED', /path/));
  const last = bench.transport.request({ ...get, headers: { connection: 'close', 'transfer-encoding': 'chunked' } });
  const sent = await connection.next(FRAME.HEADERS);
  assert.equal(sent.stream, stream + 2, 'no other request was sent');
  assert.ok(!/close|chunked/.test(sent.payload.toString('latin1')));
  connection.answer(sent.stream);
  await last;
});

const status = (hex: string): Buffer => Buffer.from(hex, 'hex');

test('over HTTP/2, accepts informational responses, padding, priorities, continued headers, trailers and unknown frames', async () => {
  await using bench = await Http2Bench.start();
  const connection = await bench.connected();
  const answered = bench.transport.request(get);
  const { stream } = await connection.next(FRAME.HEADERS);
  connection.send(0xbe, 0, { stream: 8, payload: Buffer.from('unknown') });
  connection.send(FRAME.HEADERS, FLAG.END_HEADERS, { stream, payload: status('4803313033') });
  const padded = Buffer.concat([status('02000000001088'), Buffer.alloc(2)]);
  connection.send(FRAME.HEADERS, FLAG.PADDED | FLAG.PRIORITY, { stream, payload: padded });
  connection.send(FRAME.CONTINUATION, FLAG.END_HEADERS, { stream, payload: status('5c0137') });
  connection.send(FRAME.DATA, FLAG.PADDED, {
    stream,
    payload: Buffer.concat([status('03'), Buffer.from('{"a":'), Buffer.alloc(3)]),
  });
  connection.send(FRAME.DATA, 0, { stream, payload: Buffer.from('1}') });
  connection.send(FRAME.HEADERS, FLAG.END_HEADERS | FLAG.END_STREAM, { stream, payload: status('0001780179') });
  assert.deepEqual(await answered, { a: 1 });
});

test('over HTTP/2, rejects a body that is shorter or longer than its content-length', async () => {
  await using bench = await Http2Bench.start();
  const connection = await bench.connected();
  for (const body of ['{}', '{"a":1}']) {
    const refused = assert.rejects(
      bench.transport.request(post),
      failed('REQUEST_FAILED', /before the response was complete/),
    );
    const { stream } = await connection.next(FRAME.DATA);
    connection.send(FRAME.HEADERS, FLAG.END_HEADERS, { stream, payload: status('885c0135') });
    connection.send(FRAME.DATA, FLAG.END_STREAM, { stream, payload: Buffer.from(body) });
    await refused;
  }
});
