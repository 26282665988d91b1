import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttps } from 'node:https';
import { createSecureServer, type ServerHttp2Session } from 'node:http2';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Server as TcpServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { selfSignedCertificate } from '../../serving/self-signed-certificate.js';
import { ManualClock } from '../../test-support/manual-clock.js';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import type { TransportOptions } from '../request/request-options.js';
import { Transport } from './transport.js';

const pair = selfSignedCertificate(['127.0.0.1']);
const timedOut = (text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof KubewrightError, String(error));
  assert.equal(error.code, 'REQUEST_TIMEOUT');
  assert.match(error.message, text);
  return true;
};
const get = { method: 'GET', path: '/' } as const;

const http1: Readonly<Record<string, readonly [scheme: string, make: (listener: RequestListener) => Server]>> = {
  HTTP: ['http', (listener) => createServer(listener)],
  HTTPS: ['https', (listener) => createHttps(pair, listener)],
};
const http2 = (listener: RequestListener): Server =>
  createSecureServer({ ...pair, allowHTTP1: true }, listener as never) as unknown as Server;

class Bench implements AsyncDisposable {
  readonly server: ScriptedServer;
  readonly transport: Transport;
  readonly clock = new ManualClock();
  private constructor(server: ScriptedServer, options: TransportOptions) {
    this.server = server;
    this.transport = new Transport({ server: server.url, ca: pair.cert }, { clock: this.clock, ...options });
  }
  static async start(
    [scheme, make]: readonly [string, (listener: RequestListener) => Server],
    options: TransportOptions = {},
  ): Promise<Bench> {
    return new Bench(await ScriptedServer.start(make, scheme), options);
  }
  async answered(): Promise<void> {
    const answered = this.transport.request(get);
    (await this.server.next()).json(200, {});
    await answered;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.transport.close();
    await this.server.close();
  }
}

test('[CG-177] detects a dead HTTP/2 connection with PING, ends its streams and opens another connection', async () => {
  await using bench = await Bench.start(['https', http2]);
  const open = async (): Promise<AsyncIterator<Buffer>> => {
    const opening = bench.transport.stream({ path: '/watch' });
    (await bench.server.next()).send('x');
    const bytes = (await opening)[Symbol.asyncIterator]();
    await bytes.next();
    return bytes;
  };
  const [one, two] = [await open(), await open()];
  assert.equal(bench.server.connections, 1, 'streams share a connection');
  // Simulates a missing response to the PING that is sent after 30 s.
  bench.clock.advance(45_000);
  await Promise.all([assert.rejects(one.next()), assert.rejects(two.next(), /did not answer a ping within 15 s/)]);
  const three = await open();
  assert.equal(bench.server.connections, 2);
  await three.return?.();
});

test('over HTTP/2, unread lists and streams do not block the server or each other', async () => {
  await using bench = await Bench.start(['https', http2]);
  const streams = await Promise.all(
    [1, 2, 3].map(async () => {
      const opening = bench.transport.stream({ path: '/watch' });
      const exchange = (await bench.server.next()).open();
      return { stream: await opening, exchange };
    }),
  );
  assert.equal(bench.server.connections, 1, 'streams share a connection');
  await Promise.all(streams.map(({ exchange }) => exchange.taken('x'.repeat(2 ** 20))));
  for (const { stream } of streams) stream.close();
});

for (const [name, way] of Object.entries(http1)) {
  test(`[CG-178] over ${name}: replaces a connection that breaks while it is idle or during a read, and reports no error`, async () => {
    await using bench = await Bench.start(way);
    await bench.answered();
    bench.server.cutAll();
    await bench.answered();
    const inFlight = bench.transport.request(get);
    (await bench.server.next()).cut();
    (await bench.server.next()).json(200, { again: true });
    assert.deepEqual(await inFlight, { again: true });
  });

  test(`[CG-178, CG-180] over ${name}: closes an unresponsive connection after the timeout, and does not use it again`, async () => {
    await using bench = await Bench.start(way, { silenceTimeout: '500ms', maxConnections: 1 });
    const { transport, server } = bench;
    const silent = assert.rejects(
      transport.request({ method: 'POST', path: '/', attempted: 'create pod a' }),
      timedOut(/create pod a: no data received for 0\.5 s/),
    );
    const exchange = await server.next();
    const before = server.connections;
    await silent;
    await exchange.closed;
    await bench.answered();
    assert.equal(server.connections, before + 1);
    const stalled = assert.rejects(transport.request({ method: 'POST', path: '/' }), timedOut(/no data received/));
    (await server.next()).send('{"half":');
    await stalled;
  });

  test(`[CG-179, CG-180] over ${name}: closes the connection of a request that exceeds its timeout`, async () => {
    await using bench = await Bench.start(way, { requestTimeout: '30s', maxConnections: 1 });
    const { transport, server, clock } = bench;
    await bench.answered();
    const late = assert.rejects(
      transport.request({ method: 'PUT', path: '/' }),
      timedOut(/PUT \/: no response received, and the timeout of the request is 30 s/),
    );
    const exchange = await server.next();
    const before = server.connections;
    assert.equal(exchange.query['timeout'], undefined);
    clock.advance(30_000);
    await late;
    await exchange.closed;
    await bench.answered();
    assert.equal(server.connections, before + 1);
    assert.deepEqual(clock.pendingMs, [], 'a response ends the timer');
  });
}

test('[CG-179] the timeout of a request overrides the timeout of the client, is sent to the server, and includes retries', async () => {
  await using bench = await Bench.start(['http', http1['HTTP']![1]], { requestTimeout: '1h' });
  const { transport, server, clock } = bench;
  const late = assert.rejects(
    transport.request({ ...get, timeout: '2.5s' }),
    timedOut(/the timeout of the request is 2\.5 s/),
  );
  const exchange = await server.next();
  assert.equal(exchange.query['timeout'], '2500ms');
  exchange.status(503, 'ServiceUnavailable', {}, { 'retry-after': '2' });
  await clock.scheduled(2000);
  clock.advance(2000);
  await server.next();
  clock.advance(500);
  await late;
  const refused = assert.rejects(transport.request({ ...get, timeout: '2.5s' }), { status: 503 });
  (await server.next()).status(503, 'ServiceUnavailable', {}, { 'retry-after': '3' });
  await refused;
  assert.equal(server.unconsumed, 0, 'a wait that would end too late is not started');
  for (const timeout of ['0s', 'soon'] as never[])
    await assert.rejects(transport.request({ ...get, timeout }), KubewrightError);
});

test('[CG-179] streams have no timeout', async () => {
  await using bench = await Bench.start(['http', http1['HTTP']![1]], { requestTimeout: '1s', silenceTimeout: '30s' });
  const opening = bench.transport.stream({ path: '/watch' });
  const exchange = (await bench.server.next()).send('a');
  const bytes = (await opening)[Symbol.asyncIterator]();
  await bytes.next();
  bench.clock.advance(3_600_000);
  await bench.answered();
  exchange.send('b');
  assert.equal(String((await bytes.next()).value), 'b');
  await bytes.return?.();
});

test('aborting a stream during the connection setup leaves no connection open', async () => {
  const server = createHttps(pair);
  const port = await listening(server);
  const transport = new Transport({ server: `https://127.0.0.1:${port}`, ca: pair.cert });
  const stop = new AbortController();
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const refused = assert.rejects(transport.stream({ path: '/watch', signal: stop.signal }));
  const [socket] = await accepted;
  stop.abort();
  await refused;
  await closedOn(socket);
  await transport.close();
  await closed(server);
});

test('closing a transport closes a connection to an unresponsive server', async () => {
  const server = createTcp();
  const port = await listening(server);
  const transport = new Transport({ server: `https://127.0.0.1:${port}`, ca: pair.cert }, { clock: new ManualClock() });
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const refused = assert.rejects(transport.stream({ path: '/watch' }));
  const [socket] = await accepted;
  await transport.close();
  await refused;
  await closedOn(socket);
  await closed(server);
});

async function listening(server: TcpServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
/** Resolves when the other side has closed the connection. */
async function closedOn(socket: Socket): Promise<void> {
  socket.resume().on('error', () => undefined);
  if (!socket.destroyed) await once(socket, 'close', { signal: AbortSignal.timeout(10_000) });
}
async function closed(server: TcpServer): Promise<void> {
  const end = once(server, 'close');
  server.close();
  await end;
}

test('aborting the signal ends streams that wait for a connection', async () => {
  const server = createTcp();
  const port = await listening(server);
  const transport = new Transport({ server: `https://127.0.0.1:${port}`, ca: pair.cert }, { clock: new ManualClock() });
  const stop = new AbortController();
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const refused = [1, 2].map(() => transport.stream({ path: '/watch', signal: stop.signal }));
  const [socket] = await accepted;
  stop.abort();
  await Promise.all(refused.map((each) => assert.rejects(each, { name: 'AbortError' })));
  await transport.close();
  await closedOn(socket);
  await closed(server);
});

test('detects a dead connection even after the server sent GOAWAY', async () => {
  const sessions: ServerHttp2Session[] = [];
  const make = (listener: RequestListener): Server =>
    http2(listener).on('session', (session: ServerHttp2Session) => void sessions.push(session));
  await using bench = await Bench.start(['https', make]);
  const opening = bench.transport.stream({ path: '/watch' });
  const exchange = (await bench.server.next()).send('x');
  const bytes = (await opening)[Symbol.asyncIterator]();
  await bytes.next();
  sessions[0]?.goaway();
  exchange.send('y');
  await bytes.next();
  bench.clock.advance(45_000);
  await assert.rejects(bytes.next(), /did not answer a ping within 15 s/);
  const again = bench.transport.stream({ path: '/watch' });
  (await bench.server.next()).send('x');
  (await again).close();
  assert.equal(bench.server.connections, 2);
});

test('rejects invalid transport options', () => {
  const connection = { server: 'https://127.0.0.1:1' };
  for (const options of [{ maxConnections: 0 }, { requestTimeout: '0s' }, { silenceTimeout: '0ms' }] as const)
    assert.throws(
      () => new Transport(connection, options),
      (error) => (error as KubewrightError).code === 'INVALID_OPTION',
    );
});

for (const [name, way] of Object.entries({ ...http1, 'HTTP/2': ['https', http2] as const })) {
  test(`[CG-177, CG-178] over ${name}: ends a stream if its response does not start within the timeout`, async () => {
    await using bench = await Bench.start(way, { silenceTimeout: '500ms' });
    const silent = assert.rejects(
      bench.transport.stream({ path: '/watch', attempted: 'watch pods' }),
      timedOut(/watch pods: no data received/),
    );
    const exchange = await bench.server.next();
    await silent;
    await exchange.closed;
    const opening = bench.transport.stream({ path: '/watch' });
    (await bench.server.next()).send('x');
    (await opening).close();
  });
}
