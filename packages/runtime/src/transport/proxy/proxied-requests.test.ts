import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttps } from 'node:https';
import { createSecureServer } from 'node:http2';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { KubewrightError } from '@kubewright/api/errors';
import { selfSignedCertificate } from '../../serving/self-signed-certificate.js';
import { ForwardProxy, type ForwardProxyOptions } from '../../test-support/forward-proxy.js';
import { ManualClock } from '../../test-support/manual-clock.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import type { Connection } from '../connection/connection.js';
import { Transport } from '../sending/transport.js';

const server = selfSignedCertificate(['kubernetes.test', '127.0.0.1']);
const own = selfSignedCertificate(['127.0.0.1']);
const user = { username: 'jane doe', password: 'p@ss:w/ord%' };
const get = { method: 'GET', path: '/api' } as const;
/** An empty environment, so that the tests do not use the proxy of the test process. */
const env = {};

const makes = {
  HTTP: { scheme: 'http', make: (listener: RequestListener): Server => createServer(listener) },
  HTTPS: { scheme: 'https', make: (listener: RequestListener): Server => createHttps(server, listener) },
  'HTTP/2': {
    scheme: 'https',
    make: (listener: RequestListener): Server =>
      createSecureServer({ ...server, allowHTTP1: true }, listener as never) as unknown as Server,
  },
} as const;

/** A server behind a proxy. Only the proxy can resolve the name of the server. */
class Bench implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly logger = new RecordingLogger();
  readonly server: ScriptedServer;
  readonly proxy: ForwardProxy;
  readonly transport: Transport;
  private constructor(
    scheme: string,
    ends: { server: ScriptedServer; proxy: ForwardProxy },
    more: Partial<Connection>,
  ) {
    this.server = ends.server;
    this.proxy = ends.proxy;
    const ca = `${server.cert}\n${own.cert}`;
    const connection = { server: `${scheme}://kubernetes.test:6443`, ca, proxy: this.proxy.url, ...more };
    this.transport = new Transport(connection, { clock: this.clock, logger: this.logger, env });
  }
  static async start(
    options: Omit<ForwardProxyOptions, 'to'>,
    { kind = 'HTTP/2', more = {} }: { readonly kind?: keyof typeof makes; readonly more?: Partial<Connection> } = {},
  ): Promise<Bench> {
    const { scheme, make } = makes[kind];
    const behind = await ScriptedServer.start(make, scheme);
    const proxy = await ForwardProxy.start({ pair: own, to: behind.port, ...options });
    return new Bench(scheme, { server: behind, proxy }, more);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.transport.close();
    await this.proxy[Symbol.asyncDispose]();
    await this.server.close();
  }
}

const failed = (text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof KubewrightError, String(error));
  assert.equal(error.code, 'REQUEST_FAILED');
  assert.match(error.message, text);
  assert.equal((error.cause as Error).cause, undefined, 'the error does not mention the server');
  assert.ok(!inspect(error, { depth: 9 }).includes('ord%'), 'the error shows no password');
  return true;
};

for (const scheme of ['http', 'https', 'socks5'] as const) {
  for (const kind of ['HTTP', 'HTTPS', 'HTTP/2'] as const) {
    test(`sends requests and streams over ${kind} through a proxy (${scheme}) that requires user and password`, async () => {
      await using bench = await Bench.start({ scheme, user }, { kind });
      const answered = bench.transport.request({ method: 'POST', path: '/api', body: { a: 1 } });
      const exchange = await bench.server.next();
      assert.deepEqual([exchange.method, exchange.path, exchange.body], ['POST', '/api', '{"a":1}']);
      assert.equal(exchange.headers.host, 'kubernetes.test:6443');
      exchange.json(200, { ok: true });
      assert.deepEqual(await answered, { ok: true });

      const opening = bench.transport.stream({ path: '/watch', query: { watch: true } });
      const watched = await bench.server.next();
      assert.equal(watched.path, '/watch');
      assert.equal(
        watched.headers.host ?? (watched.headers as Record<string, string>)[':authority'],
        'kubernetes.test:6443',
      );
      watched.send('x');
      const stream = await opening;
      const chunks = stream[Symbol.asyncIterator]();
      assert.equal(String((await chunks.next()).value), 'x');
      stream.close();
      await watched.closed;

      const isRequested = scheme !== 'socks5' && kind === 'HTTP';
      assert.deepEqual(
        bench.proxy.requested,
        isRequested
          ? ['POST http://kubernetes.test:6443/api', 'GET http://kubernetes.test:6443/watch?watch=true']
          : ['CONNECT kubernetes.test:6443', 'CONNECT kubernetes.test:6443'],
      );
      const reported = bench.logger.lines.find(({ message }) => message.includes('proxy'));
      assert.equal(reported?.fields['proxy'], bench.proxy.name);
    });
  }
}

test('reuses connections through a proxy', async () => {
  await using bench = await Bench.start({ scheme: 'http' });
  for (let i = 0; i < 6; i++) {
    const answered = bench.transport.request(get);
    // oxlint-disable-next-line no-await-in-loop -- the calls run sequentially
    (await bench.server.next()).json(200, {});
    // oxlint-disable-next-line no-await-in-loop -- the calls run sequentially
    await answered;
  }
  // After a response, it takes a moment until the connection can be used again.
  assert.ok(bench.proxy.requested.length <= 2, `${bench.proxy.requested.length} connections`);
});

const refusals: readonly (readonly [ForwardProxyOptions['scheme'], number | 'end', RegExp])[] = [
  [
    'http',
    407,
    /did not open a tunnel: it answered CONNECT kubernetes\.test:6443 with 407 Refused: check the user and password/,
  ],
  ['https', 403, /did not open a tunnel: it answered CONNECT kubernetes\.test:6443 with 403 Refused$/],
  ['http', 502, /with 502 Refused$/],
  ['http', 'end', /did not open a tunnel: socket hang up/],
  ['socks5', 2, /did not open a tunnel: it did not connect to kubernetes\.test: not allowed by its rules/],
  ['socks5', 99, /it did not connect to kubernetes\.test: error 99/],
  ['socks5', 'end', /did not open a tunnel: it closed the connection/],
];
function described(refusal: number | 'end'): string {
  return refusal === 'end' ? 'closes the connection' : `responds with ${refusal}`;
}
for (const [scheme, refusal, text] of refusals) {
  test(`if a proxy (${scheme}) ${described(refusal)}, the error names the proxy without its password, and there is no retry`, async () => {
    await using bench = await Bench.start({ scheme, user });
    bench.proxy.refusal = refusal;
    await assert.rejects(bench.transport.request(get), failed(text));
    await assert.rejects(bench.transport.request(get), failed(new RegExp(`^GET /api: proxy ${bench.proxy.name} `)));
    await assert.rejects(bench.transport.stream(get), failed(text));
    assert.equal(bench.proxy.requested.length, 3);
  });
}

test('an error masks the password and the authorization header that a proxy repeats in its response', async () => {
  const header = `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`;
  const proxy = createTcp((socket) =>
    socket.once('data', () => socket.end(`HTTP/1.1 407 No user with ${user.password} or ${header}\r\n\r\n`)),
  );
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  proxy.unref();
  const { port } = proxy.address() as AddressInfo;
  const url = `http://${encodeURIComponent(user.username)}:${encodeURIComponent(user.password)}@127.0.0.1:${port}`;
  await using transport = new Transport({ server: 'https://kubernetes.test', proxy: url }, { env });
  await assert.rejects(transport.request(get), (error) => {
    assert.ok(!inspect(error, { depth: 9 }).includes(header.slice(6)));
    return failed(/with 407 No user with \*\*\* or Basic \*\*\*: check the user and password in its URL$/)(error);
  });
  proxy.close();
});

for (const [scheme, text] of [
  ['http', /407 Refused: add user and password to its URL/],
  ['socks5', /it requires credentials: add user and password to its URL/],
] as const) {
  test(`the error for a proxy (${scheme}) that requires user and password contains the fix`, async () => {
    await using bench = await Bench.start({ scheme, user });
    await using unknown = new Transport({ server: 'https://kubernetes.test', proxy: bench.proxy.name }, { env });
    await assert.rejects(unknown.request(get), failed(text));
    const wrong = bench.proxy.name.replace('//', '//jane:x@');
    await using problem = new Transport({ server: 'https://kubernetes.test', proxy: wrong }, { env });
    await assert.rejects(problem.request(get), failed(/check the user and password in its URL/));
  });
}

test('an error names the proxy if the proxy is unreachable or has an untrusted certificate', async () => {
  let address: string;
  {
    await using proxy = await ForwardProxy.start({ scheme: 'http', to: 1 });
    address = proxy.name;
  }
  await using transport = new Transport({ server: 'https://kubernetes.test', proxy: address }, { env });
  await assert.rejects(transport.request(get), failed(/proxy http:\S+ is not reachable: connect ECONNREFUSED/));

  await using bench = await Bench.start({ scheme: 'https' }, { more: { ca: server.cert } });
  await assert.rejects(bench.transport.request(get), failed(/proxy https:\S+ is not reachable: self-signed/));
  await using insecure = await Bench.start(
    { scheme: 'https' },
    { more: { ca: server.cert, insecureSkipTlsVerify: true } },
  );
  const answered = insecure.transport.request(get);
  (await insecure.server.next()).json(200, {});
  await answered;
});

for (const scheme of ['http', 'socks5'] as const) {
  test(`closes a connection to an unresponsive proxy (${scheme}) after 30 s, and if the stream is aborted or the transport is closed`, async () => {
    await using bench = await Bench.start({ scheme });
    bench.proxy.refusal = 'silence';
    for (const open of ['request', 'stream'] as const) {
      const requested = bench.proxy.nextRequested();
      const silent = assert.rejects(bench.transport[open](get), failed(/proxy \S+ did not connect within 30 s/));
      // oxlint-disable-next-line no-await-in-loop -- the calls run sequentially
      await requested;
      bench.clock.advance(30_000);
      // oxlint-disable-next-line no-await-in-loop -- the calls run sequentially
      await silent;
    }
    await bench.proxy.idle();

    const aborting = new AbortController();
    const requested = bench.proxy.nextRequested();
    const aborted = bench.transport.stream({ ...get, signal: aborting.signal });
    await requested;
    const reason = new Error('enough');
    aborting.abort(reason);
    await assert.rejects(aborted, (error) => error === reason);
    await bench.proxy.idle();

    const closed = (['request', 'stream'] as const).map((open) => {
      const rejected = assert.rejects(
        bench.transport[open](get),
        (error) => (error as KubewrightError).code === 'TRANSPORT_CLOSED',
      );
      return rejected;
    });
    while (bench.proxy.requested.length < 5) {
      // oxlint-disable-next-line no-await-in-loop -- repeats until both clients have sent a request
      await bench.proxy.nextRequested();
    }
    await bench.transport.close();
    await Promise.all(closed);
    await bench.proxy.idle();
    assert.equal(bench.clock.pendingMs.length, 0);
  });
}

test('aborting a stream does not affect a second stream that waits for a connection', async () => {
  await using bench = await Bench.start({ scheme: 'http' });
  bench.proxy.refusal = 'silence';
  const aborting = new AbortController();
  const requested = bench.proxy.nextRequested();
  const first = bench.transport.stream({ ...get, signal: aborting.signal });
  await requested;
  const second = bench.transport.stream(get);
  bench.proxy.refusal = undefined;
  aborting.abort(new Error('enough'));
  await assert.rejects(first, /enough/);
  (await bench.server.next()).send('x');
  (await second).close();
});

test('uses the proxy in http_proxy, except for a local server, and except if the connection has the option proxy', async () => {
  const behind = await ScriptedServer.start();
  await using proxy = await ForwardProxy.start({ scheme: 'http', to: behind.port });
  const answered = async (connection: Connection, more: Readonly<Record<string, string>> = {}): Promise<void> => {
    await using transport = new Transport(connection, { env: { http_proxy: proxy.name, ...more } });
    const requested = transport.request(get);
    (await behind.next()).json(200, {});
    await requested;
  };
  await answered({ server: 'http://kubernetes.test' });
  assert.deepEqual(proxy.requested, ['GET http://kubernetes.test/api']);
  const here = behind.url;
  await answered({ server: here });
  await answered({ server: here, proxy: false });
  await answered({ server: here.replace('127.0.0.1', 'localhost') });
  assert.equal(proxy.requested.length, 1, 'requests to this machine do not use the proxy');
  await answered({ server: here, proxy: proxy.name });
  assert.equal(proxy.requested.length, 2, 'unless the connection has its own proxy');
  await behind.close();
});

test('rejects an invalid proxy URL without showing the URL', () => {
  const problem = (proxy: string, variables: Readonly<Record<string, string>> = {}): string => {
    try {
      const connection = { server: 'https://kubernetes.test', ...(proxy === '' ? {} : { proxy }) };
      void new Transport(connection, { env: variables });
    } catch (error) {
      assert.equal((error as KubewrightError).code, 'INVALID_PROXY');
      return (error as Error).message;
    }
    return 'no error';
  };
  assert.match(
    problem('ftp://jane:secret@proxy'),
    /^cannot connect: option 'proxy' of the connection is not a proxy URL/,
  );
  assert.ok(!problem('ftp://jane:secret@proxy').includes('secret'));
  assert.match(problem('http://jane:%%@proxy'), /is not a proxy URL/);
  assert.match(problem('', { https_proxy: 'ftp://proxy' }), /^cannot connect: https_proxy is not a proxy URL/);
  assert.match(problem('', { http_proxy: 'ftp://proxy' }), /no error/);
});

test('printing a connection shows the proxy without its password', () => {
  const shown = (proxy: string | false): string => {
    const { connection } = new Transport({ server: 'https://kubernetes.test', proxy }, { env });
    assert.equal(connection.proxy, proxy);
    return `${inspect(connection)} ${JSON.stringify(connection)}`;
  };
  const text = shown('http://jane:secret@proxy.test:3128');
  assert.ok(!text.includes('secret') && !text.includes('jane'), text);
  assert.equal(text.match(/http:\/\/proxy\.test:3128/g)?.length, 2);
  assert.match(shown(false), /"proxy":false/);
});
