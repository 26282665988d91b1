import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ApiServer } from '@kubewright/apiserver';
import { Transport } from '@kubewright/runtime/internal';
import { NetworkProxy } from './network-proxy.js';

async function network(context: TestContext): Promise<{ readonly proxy: NetworkProxy; readonly transport: Transport }> {
  const server = await ApiServer.start();
  const proxy = await NetworkProxy.open({
    server: server.url,
    ca: server.certificateAuthority,
    token: server.token,
  });
  const transport = new Transport(proxy.connection);
  context.after(async () => {
    await transport.close();
    await proxy.close();
    await server.stop();
  });
  return { proxy, transport };
}
const namespace = { method: 'GET', path: '/api/v1/namespaces/default' } as const;

test('NetworkProxy forwards requests with and without a delay and a bandwidth limit', async (context) => {
  const { proxy, transport } = await network(context);
  await transport.request(namespace);
  proxy.behave({ delayMs: 1, bytesPerSecond: 1_000_000 });
  await transport.request(namespace);
  assert.ok(proxy.connections > 0);
});

test('cut resets existing connections at both ends, and accepts new connections', async (context) => {
  const { proxy, transport } = await network(context);
  await transport.request(namespace);
  const stream = await transport.stream({ path: '/api/v1/namespaces', query: { watch: '1' } });
  await overWith(stream, () => proxy.cut());
  await transport.request(namespace);
});

test('partition blocks requests without an error, and heal delivers the blocked requests', async (context) => {
  const { proxy, transport } = await network(context);
  await transport.request(namespace);
  proxy.partition();
  const lost = transport.request(namespace);
  const answered = await Promise.race([
    lost.then(() => true),
    new Promise((resolve) => setImmediate(() => resolve(false))),
  ]);
  assert.equal(answered, false);
  proxy.heal();
  assert.equal(((await lost) as { readonly metadata: { readonly name: string } }).metadata.name, 'default');
});

test('leadTo directs new connections to a server on another port', async (context) => {
  const { proxy, transport } = await network(context);
  await transport.request(namespace);
  await using another = await ApiServer.start();
  const { url: server, certificateAuthority: ca, token } = another;
  proxy.leadTo({ server, ca, token });
  proxy.halfClose();
  proxy.cut();
  const { connection } = proxy;
  const later = new Transport({ ...connection, ca, token });
  context.after(() => later.close());
  const answered = await later.request<{ readonly metadata: { readonly uid: string } }>(namespace);
  assert.equal(answered.metadata.uid, another.registry.builtIn('/v1/namespaces').get({ name: 'default' }).metadata.uid);
});

test('cut during a half-close leaves no handle open', async (context) => {
  const handles = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  const before = handles();
  const { proxy, transport } = await network(context);
  const stream = await transport.stream({ path: '/api/v1/namespaces', query: { watch: '1' } });
  await overWith(stream, () => {
    proxy.halfClose();
    proxy.cut();
  });
  await transport.close();
  await proxy.close();
  while (handles() > before) await new Promise((resolve) => setImmediate(resolve));
});

test('halfClose ends the streams of existing connections', async (context) => {
  const { proxy, transport } = await network(context);
  const stream = await transport.stream({ path: '/api/v1/namespaces', query: { watch: '1' } });
  await overWith(stream, () => proxy.halfClose());
  await transport.request(namespace);
});

/** Runs the action for each chunk of the stream. Resolves when the stream ends or fails. */
async function overWith(stream: AsyncIterable<unknown>, act: () => void): Promise<void> {
  const reading = (async () => {
    for await (const _chunk of stream) act();
  })();
  await Promise.allSettled([reading]);
}
