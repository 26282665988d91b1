import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ApiError, isConflict, isNotFound } from '@kubewright/api/errors';
import { ApiServer, type FaultPlan } from '@kubewright/apiserver';
import type { Connection } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import { Authority } from '../control-plane/authority.js';
import { FaultProxy } from './fault-proxy.js';

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

/** Starts a server and a proxy with these faults. Returns a connection to each of them. */
async function behindFaults(
  context: TestContext,
  faults: FaultPlan,
): Promise<{
  readonly direct: Transport;
  readonly proxied: Transport;
  readonly proxy: FaultProxy;
  readonly connection: Connection;
}> {
  const authority = await Authority.create('test-ca');
  const { cert, key } = await authority.issue({ commonName: 'server', hosts: ['127.0.0.1'] });
  const server = await ApiServer.start({
    tls: { certificateAuthority: authority.certificate, certificate: cert, key },
  });
  const upstream = { server: server.url, ca: authority.certificate, token: server.token };
  const certificate = await authority.issue({ commonName: 'proxy', hosts: ['127.0.0.1'] });
  const proxy = await FaultProxy.open({ upstream, certificate, faults });
  const [direct, proxied] = [new Transport(upstream), new Transport(proxy.connection)];
  context.after(async () => {
    await Promise.all([direct.close(), proxied.close()]);
    await proxy.close();
    await server.stop();
  });
  return { direct, proxied, proxy, connection: proxy.connection };
}

/** Returns the lines of a watch until the watch ends or breaks. */
async function watched(transport: Transport, query: Record<string, string>): Promise<readonly string[]> {
  const stream = await transport.stream({ path: configMaps, query: { watch: '1', ...query } });
  let text = '';
  try {
    for await (const chunk of stream) text += String(chunk);
  } catch {
    // The test breaks the connection. The lines before the break are the result.
    return text.split('\n');
  }
  return text.split('\n');
}

test('FaultProxy without faults forwards requests and responses unchanged', async (context) => {
  const { direct, proxied } = await behindFaults(context, {});
  const created = await proxied.request({ method: 'POST', path: configMaps, body: configMap('a') });
  assert.deepEqual(await direct.request({ method: 'GET', path: `${configMaps}/a` }), created);
});

test('FaultProxy returns a planned status without forwarding the request', async (context) => {
  const { direct, proxied } = await behindFaults(context, {
    onRequest: ({ verb, ordinal }) => (verb === 'create' && ordinal === 1 ? { kind: 'status', code: 409 } : undefined),
  });
  await assert.rejects(proxied.request({ method: 'POST', path: configMaps, body: configMap('a') }), isConflict);
  await assert.rejects(direct.request({ method: 'GET', path: `${configMaps}/a` }), isNotFound);
  await proxied.request({ method: 'POST', path: configMaps, body: configMap('a') });
});

test('FaultProxy forwards a write before a cut with after: write, and does not forward a write with after: none', async (context) => {
  const { direct, proxied } = await behindFaults(context, {
    onRequest: ({ verb, ordinal }) => {
      if (verb !== 'create') return undefined;
      return { kind: 'cut', after: ordinal === 1 ? 'none' : 'write' };
    },
  });
  for (const name of ['before', 'after']) {
    await assert.rejects(proxied.request({ method: 'POST', path: configMaps, body: configMap(name) }), {
      code: 'REQUEST_FAILED',
    });
  }
  await assert.rejects(direct.request({ method: 'GET', path: `${configMaps}/before` }), isNotFound);
  await direct.request({ method: 'GET', path: `${configMaps}/after` });
});

test('FaultProxy forwards a write before it returns a planned status with after: write', async (context) => {
  const { direct, proxied } = await behindFaults(context, {
    onRequest: ({ verb }) => (verb === 'create' ? { kind: 'status', code: 504, after: 'write' } : undefined),
  });
  const failed = proxied.request({ method: 'POST', path: configMaps, body: configMap('slow') });
  await assert.rejects(failed, (error) => error instanceof ApiError && error.status === 504);
  await direct.request({ method: 'GET', path: `${configMaps}/slow` });
});

test('FaultProxy closes even if a client has not completed the TLS handshake', async (context) => {
  const { proxy, proxied } = await behindFaults(context, {});
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(proxy.connection.server).port) });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  // After this request, the proxy has accepted the earlier connection.
  await proxied.request({ method: 'GET', path: configMaps });
  await Promise.all([once(socket, 'close', { signal: AbortSignal.timeout(10_000) }), proxy.close()]);
});

test('FaultProxy expires a watch, or cuts a watch in the middle of an event, as planned', async (context) => {
  const { direct, proxied } = await behindFaults(context, {
    onWatchEvent: ({ resource, watch, ordinal }) => {
      if (resource !== 'configmaps' || ordinal !== 2) return undefined;
      return watch === 1 ? { kind: 'expire' } : { kind: 'cut', midEvent: true };
    },
  });
  for (const name of ['a', 'b', 'c']) await direct.request({ method: 'POST', path: configMaps, body: configMap(name) });
  const [first, expired, ...none] = await watched(proxied, { resourceVersion: '0' });
  assert.match(first ?? '', /"type":"ADDED".*"name":"a"/);
  assert.match(expired ?? '', /"type":"ERROR".*"code":410/);
  assert.deepEqual(none, ['']);
  const [whole, half, ...more] = await watched(proxied, { resourceVersion: '0' });
  assert.match(whole ?? '', /"name":"a"/);
  assert.throws(() => JSON.parse(half ?? ''), SyntaxError);
  assert.deepEqual(more, []);
});
