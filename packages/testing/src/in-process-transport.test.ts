import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '@kubewright/api/core/v1';
import { ApiError, isForbidden, isNotFound } from '@kubewright/api/errors';
import { ApiServer, type PlannedRequest, type RequestFault } from '@kubewright/apiserver';
import type { Connection } from '@kubewright/runtime';
import { inProcessConnection, SilentLogger, Transport } from '@kubewright/runtime/internal';
import { FakeClock } from './fake-clock.js';
import { NetworkProxy } from './proxies/network-proxy.js';
import { TestEnvironment } from './test-environment.js';
import type { TestEnvironmentOptions } from './test-environment-options.js';

const path = '/api/v1/namespaces/default/configmaps';
const logger = new SilentLogger();

function startEnvironment(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
  return TestEnvironment.start({ transport: 'in-process', ...options });
}

function configMap(name: string, data: Record<string, string> = {}): ConfigMap {
  return new ConfigMap({ metadata: { name, namespace: 'default' }, data });
}

/** Returns faults for the requests of ConfigMaps. */
function faultsOf(fault: (request: PlannedRequest) => RequestFault | undefined): TestEnvironmentOptions {
  return { faults: { onRequest: (request) => (request.resource === 'configmaps' ? fault(request) : undefined) } };
}

interface Delayed extends AsyncDisposable {
  readonly server: ApiServer;
  readonly connection: Connection;
  readonly transport: Transport;
}

/** Starts a server that delays all requests of ConfigMaps by 1 s of its clock. */
async function startDelayed(clock: FakeClock, options: { readonly maxConnections?: number } = {}): Promise<Delayed> {
  const faults = faultsOf(() => ({ kind: 'delay', ms: 1000 }));
  const server = await ApiServer.start({ clock, ...faults });
  const { url, token } = server;
  const connection = inProcessConnection({ server: url, token }, server);
  const transport = new Transport(connection, { logger, ...options });
  const end = async (): Promise<void> => {
    await transport.close();
    await server.stop();
  };
  return { server, connection, transport, [Symbol.asyncDispose]: end };
}

function names(server: ApiServer): readonly (string | undefined)[] {
  const { items } = server.registry.builtIn('/v1/configmaps').list({ namespace: 'default' });
  return [...items].map(({ metadata }) => metadata.name);
}

test('client and server share no objects', async () => {
  await using env = await startEnvironment();
  const given = configMap('a', { size: '1' });
  const made = await env.client.create(given);
  assert.notEqual(made, given);
  assert.throws(() => Object.assign(made, { data: { size: '2' } }), TypeError);
  const stored = env.server.registry.builtIn('/v1/configmaps').get({ namespace: 'default', name: 'a' });
  assert.deepEqual({ ...(stored['data'] as object) }, { size: '1' });
});

test('reports errors, warnings and headers of the server', async () => {
  await using env = await startEnvironment();
  await using transport = new Transport(env.connection, { logger });
  await assert.rejects(transport.request({ method: 'GET', path: `${path}/none` }), (error) => isNotFound(error));
  const warnings: string[] = [];
  let contentType: unknown;
  await transport.request({
    method: 'POST',
    path,
    body: { ...configMap('a'), größe: 1 },
    onWarning: (text) => warnings.push(text),
    onHeaders: (headers) => {
      contentType = headers['content-type'];
    },
  });
  assert.deepEqual(warnings, ['unknown field "größe"']);
  assert.equal(contentType, 'application/json');
});

test('executes requests with the identity of the connection', async () => {
  await using env = await startEnvironment();
  const { token: _, ...anonymous } = env.connection;
  const list = async (connection: Connection): Promise<string> => {
    await using transport = new Transport(connection, { logger });
    return await transport.request({ method: 'GET', path }).then(
      () => 'allowed',
      (error: unknown) => (isForbidden(error) ? error.message : String(error)),
    );
  };
  assert.equal(await list(env.connection), 'allowed');
  assert.match(await list({ ...env.connection, impersonate: { user: 'ann' } }), /User "ann" cannot list/);
  assert.match(await list(anonymous), /User "system:anonymous" cannot list/);
  const { certificate: cert, key } = await env.server.clientCertificate({ name: 'bob' });
  assert.match(await list({ ...anonymous, clientCertificate: { cert, key } }), /User "bob" cannot list/);
});

test('a connection to another URL uses the network', async () => {
  await using env = await startEnvironment();
  await using proxy = await NetworkProxy.open(env.connection);
  await using transport = new Transport(proxy.connection, { logger });
  await transport.request({ method: 'GET', path });
  assert.equal(proxy.connections, 1);
});

test('a connection does not show its server in logs', async () => {
  await using env = await startEnvironment();
  await using transport = new Transport(env.connection, { logger });
  assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(transport.connection)) as object), ['server', 'ca', 'token']);
});

test('retries a read whose connection breaks, and reports a write whose connection breaks', async () => {
  const requests: string[] = [];
  const faults = faultsOf(({ verb, ordinal }) => {
    requests.push(`${verb} ${ordinal}`);
    return ordinal === 1 ? { kind: 'cut', after: verb === 'create' ? 'write' : 'none' } : undefined;
  });
  await using env = await startEnvironment(faults);
  await assert.rejects(env.client.create(configMap('a')), { code: 'REQUEST_FAILED' });
  assert.equal((await env.client.live.get(ConfigMap, { namespace: 'default', name: 'a' })).metadata.name, 'a');
  assert.deepEqual(requests, ['create 1', 'get 1', 'get 2']);
});

test('an aborted request disconnects, so that the server does not execute a delayed write', async () => {
  const clock = new FakeClock();
  await using delayed = await startDelayed(clock);
  const { server, transport } = delayed;
  const reason = new Error('no longer needed');
  const abort = new AbortController();
  const request = transport.request({ method: 'POST', path, body: configMap('a'), signal: abort.signal });
  const failed = assert.rejects(request, (error) => error === reason);
  await nextTurn();
  assert.deepEqual(server.pending(), ['requests (1)']);
  abort.abort(reason);
  await failed;
  await clock.advance('1s');
  assert.deepEqual(server.pending(), []);
  assert.deepEqual(names(server), ['kube-root-ca.crt']);
});

test('a request without a response fails after the silence timeout', async () => {
  await using delayed = await startDelayed(new FakeClock());
  const clock = new FakeClock();
  await using transport = new Transport(delayed.connection, { logger, clock });
  const failed = assert.rejects(transport.request({ method: 'POST', path, body: {} }), { code: 'REQUEST_TIMEOUT' });
  await nextTurn();
  await clock.advance('75s');
  await failed;
});

test('sends at most maxConnections single requests at the same time', async () => {
  const clock = new FakeClock();
  await using delayed = await startDelayed(clock, { maxConnections: 2 });
  const { server, transport } = delayed;
  const created = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    transport.request({ method: 'POST', path, body: configMap(name) }),
  );
  for (const pending of [2, 2, 1]) {
    await nextTurn();
    assert.deepEqual(server.pending(), [`requests (${pending})`]);
    await clock.advance('1s');
  }
  await Promise.all(created);
  assert.equal(names(server).length, 6);
});

test('a watch continues with the next events when a slow client reads', async () => {
  await using env = await startEnvironment();
  await using transport = new Transport(env.connection, { logger });
  const stream = await transport.stream({ path, query: { watch: true, resourceVersion: env.server.resourceVersion } });
  const padding = 'x'.repeat(100_000);
  for (let at = 0; at < 30; at += 1) await env.client.create(configMap(`c${at}`, { padding }));
  const chunks: Buffer[] = [];
  let count = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    count += chunk.toString().split('\n').length - 1;
    if (count === 30) break;
  }
  const names = Buffer.concat(chunks)
    .toString()
    .match(/"name":"[^"]+"/g);
  assert.ok(names?.includes('"name":"c29"'));
});

test('a long list arrives in pieces', async () => {
  await using env = await startEnvironment();
  await using transport = new Transport(env.connection, { logger });
  const padding = 'x'.repeat(100_000);
  for (let at = 0; at < 30; at += 1) await env.client.create(configMap(`c${at}`, { padding }));
  const chunks = await readAll(await transport.stream({ path }));
  assert.ok(chunks.length > 10, `${chunks.length} pieces`);
  const { items } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly items: readonly object[] };
  assert.equal(items.length, 31);
});

test('a stream ends without an error when the client closes it, and with the reason of its signal', async () => {
  await using env = await startEnvironment();
  await using transport = new Transport(env.connection, { logger });
  const closed = await transport.stream({ path, query: { watch: true } });
  const read = readAll(closed);
  await nextTurn();
  closed.close();
  assert.equal((await read).length, 1);
  const abort = new AbortController();
  const aborted = await transport.stream({ path, query: { watch: true }, signal: abort.signal });
  const failing = assert.rejects(readAll(aborted), (error) => error === abort.signal.reason);
  await nextTurn();
  abort.abort(new Error('no longer needed'));
  await failing;
});

test('a broken connection ends streams with an error, and the server accepts further requests', async () => {
  await using env = await startEnvironment();
  await using transport = new Transport(env.connection, { logger });
  const stream = await transport.stream({ path, query: { watch: true } });
  const failing = assert.rejects(readAll(stream), { code: 'ECONNRESET' });
  await nextTurn();
  env.server.cutConnections();
  await failing;
  await transport.request({ method: 'GET', path });
});

test('a stopped server refuses requests, and a closed transport ends its requests', async () => {
  const env = await startEnvironment(faultsOf(() => ({ kind: 'delay', ms: 3_600_000 })));
  const transport = new Transport(env.connection, { logger });
  const stream = await transport.stream({ path: '/api/v1/secrets', query: { watch: true } });
  const pending = assert.rejects(transport.request({ method: 'GET', path }), { code: 'TRANSPORT_CLOSED' });
  const ending = assert.rejects(readAll(stream), /the transport was closed/);
  await nextTurn();
  await transport.close();
  await pending;
  await ending;
  await env[Symbol.asyncDispose]();
  await using late = new Transport(env.connection, { logger });
  await assert.rejects(late.request({ method: 'GET', path }), (error) => {
    assert.ok(!(error instanceof ApiError));
    assert.equal(((error as Error).cause as NodeJS.ErrnoException).code, 'ECONNREFUSED');
    return true;
  });
});

test('rejects the in-process transport for other servers', async () => {
  await assert.rejects(startEnvironment({ server: 'existing' }), { code: 'NOT_SUPPORTED' });
});

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
