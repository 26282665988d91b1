import assert from 'node:assert/strict';
import { createServer as createHttps } from 'node:https';
import { createSecureServer } from 'node:http2';
import type { RequestListener, Server } from 'node:http';
import { test } from 'node:test';
import { ApiError, isNotFound, KubewrightError } from '@kubewright/api/errors';
import { selfSignedCertificate } from '../../serving/self-signed-certificate.js';
import { ManualClock } from '../../test-support/manual-clock.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import type { Connection } from '../connection/connection.js';
import { Transport } from './transport.js';

const PATH = '/api/v1/namespaces/default/configmaps/a';

class Bench implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly logger = new RecordingLogger();
  readonly server: ScriptedServer;
  readonly transport: Transport;
  constructor(server: ScriptedServer, connection: Partial<Connection> = {}) {
    this.server = server;
    this.transport = new Transport({ server: server.url, ...connection }, { clock: this.clock, logger: this.logger });
  }
  static async start(connection?: Partial<Connection>): Promise<Bench> {
    return new Bench(await ScriptedServer.start(), connection);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.transport.close();
    await this.server.close();
  }
}

test('a request sends its body as JSON with the content type, and resolves with the JSON of the response', async () => {
  await using bench = await Bench.start({
    token: 'secret',
    impersonate: { user: 'jane', groups: ['a', 'b'], extra: { 'Some/Key': ['1'] } },
  });
  const answered = bench.transport.request({
    method: 'PATCH',
    path: PATH,
    query: { dryRun: 'All', none: undefined },
    body: { big: 9007199254740993n },
    contentType: 'application/merge-patch+json',
  });
  const exchange = await bench.server.next();
  assert.equal(exchange.method, 'PATCH');
  assert.deepEqual(exchange.query, { dryRun: 'All' });
  assert.equal(exchange.body, '{"big":9007199254740993}');
  assert.equal(exchange.headers['content-type'], 'application/merge-patch+json');
  assert.equal(exchange.headers.authorization, 'Bearer secret');
  assert.equal(exchange.headers['impersonate-user'], 'jane');
  assert.equal(exchange.headers['impersonate-group'], 'a, b');
  assert.equal(exchange.headers['impersonate-extra-some%2fkey'], '1');
  exchange.text(200, '{"id":9007199254740993}');
  assert.deepEqual(await answered, { id: 9007199254740993n });
});

test('rejects with an ApiError that contains the operation if the response is not successful', async () => {
  await using bench = await Bench.start();
  const answered = bench.transport.request({ method: 'GET', path: PATH, attempted: 'get configmap default/a' });
  const rejected = assert.rejects(
    answered,
    (error) => isNotFound(error) && error.message === 'get configmap default/a: configmaps "a" not found',
  );
  (await bench.server.next()).status(404, 'NotFound', { message: 'configmaps "a" not found' });
  await rejected;
});

test('the error for a response that is not a Status contains the status code and the start of the response', async () => {
  await using bench = await Bench.start();
  const rejected = assert.rejects(bench.transport.request({ method: 'GET', path: PATH }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.status, 502);
    assert.match(error.message, /Bad Gateway/);
    return error.message.length < 3000;
  });
  (await bench.server.next()).text(502, `<html>Bad Gateway${'x'.repeat(10_000)}</html>`, {
    'content-type': 'text/html',
  });
  await rejected;
});

test('rejects if a successful response is not JSON', async () => {
  await using bench = await Bench.start();
  const rejected = assert.rejects(
    bench.transport.request({ method: 'GET', path: PATH }),
    (error) => (error as KubewrightError).code === 'INVALID_RESPONSE',
  );
  (await bench.server.next()).text(200, 'hello');
  await rejected;
});

for (const code of [429, 503]) {
  test(`after a response with status ${code}, retries a POST with the same body when the Retry-After delay has passed`, async () => {
    await using bench = await Bench.start();
    const answered = bench.transport.request({ method: 'POST', path: PATH, body: { a: 1 } });
    (await bench.server.next()).status(code, 'TooManyRequests', {}, { 'retry-after': '3' });
    await bench.clock.scheduled(3000);
    bench.clock.advance(3000);
    const again = await bench.server.next();
    assert.equal(again.body, '{"a":1}');
    again.json(201, { ok: true });
    assert.deepEqual(await answered, { ok: true });
  });
}

test('does not retry after a 429 without Retry-After, and aborting the signal ends a wait for Retry-After', async () => {
  await using bench = await Bench.start();
  const first = assert.rejects(
    bench.transport.request({ method: 'GET', path: PATH }),
    (error) => error instanceof ApiError && error.status === 429,
  );
  (await bench.server.next()).status(429, 'TooManyRequests');
  await first;
  const stop = new AbortController();
  const second = assert.rejects(bench.transport.request({ method: 'GET', path: PATH, signal: stop.signal }), {
    name: 'AbortError',
  });
  (await bench.server.next()).status(429, 'TooManyRequests', {}, { 'retry-after': '60' });
  await bench.clock.scheduled(60_000);
  stop.abort();
  await second;
});

test('rejects with the last response after ten retries', async () => {
  await using bench = await Bench.start();
  const rejected = assert.rejects(
    bench.transport.request({ method: 'GET', path: PATH }),
    (error) => error instanceof ApiError && error.status === 503,
  );
  for (let i = 0; i <= 10; i++) {
    (await bench.server.next()).status(503, 'ServiceUnavailable', {}, { 'retry-after': '1' });
    if (i === 10) break;
    await bench.clock.scheduled(1000);
    bench.clock.advance(1000);
  }
  await rejected;
  assert.equal(bench.server.requests, 11);
});

test('retries a GET once if its connection breaks, but never retries a write', async () => {
  await using bench = await Bench.start();
  const read = bench.transport.request({ method: 'GET', path: PATH });
  (await bench.server.next()).cut();
  (await bench.server.next()).json(200, { read: true });
  assert.deepEqual(await read, { read: true });
  const write = assert.rejects(
    bench.transport.request({ method: 'POST', path: PATH, body: {} }),
    (error) => (error as KubewrightError).code === 'REQUEST_FAILED',
  );
  (await bench.server.next()).cut();
  await write;
  assert.equal(bench.server.unconsumed, 0);
});

test('an aborted request rejects with the reason of the signal', async () => {
  await using bench = await Bench.start();
  const stop = new AbortController();
  const rejected = assert.rejects(bench.transport.request({ method: 'GET', path: PATH, signal: stop.signal }), {
    name: 'AbortError',
  });
  const exchange = await bench.server.next();
  stop.abort();
  await rejected;
  await exchange.closed;
});

test('logs a warning of the server once', async () => {
  await using bench = await Bench.start();
  for (let i = 0; i < 2; i++) {
    const answered = bench.transport.request({ method: 'GET', path: PATH });
    (await bench.server.next()).json(200, {}, { warning: '299 - "v1beta1 is \\"old\\"", nonsense' });
    await answered;
  }
  assert.deepEqual(
    bench.logger.lines.map((line) => line.fields.warning),
    ['v1beta1 is "old"'],
  );
});

test('a closed transport rejects requests', async () => {
  await using bench = await Bench.start();
  await bench.transport.close();
  await assert.rejects(
    bench.transport.request({ method: 'GET', path: PATH }),
    (error) => (error as KubewrightError).code === 'TRANSPORT_CLOSED',
  );
});

const { key, cert } = selfSignedCertificate(['127.0.0.1']);
const MAKERS: Readonly<
  Record<string, { readonly scheme: string; readonly make?: (listener: RequestListener) => Server }>
> = {
  'plain HTTP/1.1': { scheme: 'http' },
  'HTTPS without HTTP/2': {
    scheme: 'https',
    make: (listener) => createHttps({ key, cert }, listener),
  },
  'HTTP/2': {
    scheme: 'https',
    make: (listener) => createSecureServer({ key, cert, allowHTTP1: true }, listener as never) as unknown as Server,
  },
};

for (const [name, { scheme, make }] of Object.entries(MAKERS)) {
  const start = async (): Promise<Bench> => new Bench(await ScriptedServer.start(make, scheme), { ca: cert });

  test(`over ${name}: streams yield bytes when they arrive, concurrently with other streams and requests`, async () => {
    await using bench = await start();
    const opening = [bench.transport.stream({ path: '/one' }), bench.transport.stream({ path: '/two' })];
    const exchanges = [await bench.server.next(), await bench.server.next()];
    for (const exchange of exchanges) exchange.send('hello');
    for (const stream of await Promise.all(opening)) {
      for await (const chunk of stream) {
        assert.equal(chunk.toString(), 'hello');
        break;
      }
    }
    await Promise.all(exchanges.map((exchange) => exchange.closed));
    const answered = bench.transport.request({ method: 'GET', path: PATH });
    (await bench.server.next()).json(200, { a: 1 });
    assert.deepEqual(await answered, { a: 1 });
  });

  test(`over ${name}: a stream ends with its body, throws if the connection breaks, and is closed when its signal is aborted`, async () => {
    await using bench = await start();
    const read = async (signal?: AbortSignal): Promise<string> => {
      let text = '';
      for await (const chunk of await bench.transport.stream({ path: '/watch', signal })) text += chunk.toString();
      return text;
    };
    const whole = read();
    (await bench.server.next()).send('a').end();
    assert.equal(await whole, 'a');
    const stop = new AbortController();
    const aborted = assert.rejects(read(stop.signal), { name: 'AbortError' });
    const exchange = (await bench.server.next()).send('b');
    stop.abort();
    await aborted;
    await exchange.closed;
    const cut = assert.rejects(read());
    (await bench.server.next()).send('c');
    bench.server.cutAll();
    await cut;
  });

  test(`over ${name}: rejects with an ApiError if the server rejects a stream`, async () => {
    await using bench = await start();
    const rejected = assert.rejects(
      bench.transport.stream({ path: '/watch', attempted: 'watch pods' }),
      (error) => error instanceof ApiError && error.status === 410 && error.message === 'watch pods: too old',
    );
    (await bench.server.next()).status(410, 'Expired', { message: 'too old' });
    await rejected;
  });
}

test('sends a PING on an HTTP/2 connection every 30 s', async () => {
  await using bench = new Bench(await ScriptedServer.start(MAKERS['HTTP/2']?.make, 'https'), { ca: cert });
  const opening = bench.transport.stream({ path: '/watch' });
  (await bench.server.next()).send('x');
  const stream = await opening;
  for (let i = 0; i < 3; i++) {
    await bench.clock.scheduled(30_000);
    bench.clock.advance(30_000);
    assert.deepEqual(bench.clock.pendingMs, [15_000]);
  }
  stream.close();
});

test('closes an HTTP/2 connection and its streams if a PING gets no response within 15 s', async () => {
  await using bench = new Bench(await ScriptedServer.start(MAKERS['HTTP/2']?.make, 'https'), { ca: cert });
  const opening = bench.transport.stream({ path: '/watch' });
  (await bench.server.next()).send('x');
  const iterator = (await opening)[Symbol.asyncIterator]();
  await iterator.next();
  bench.clock.advance(45_000);
  await assert.rejects(iterator.next());
});
