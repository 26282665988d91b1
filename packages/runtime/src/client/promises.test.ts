import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ConfigMap, Pod } from '@kubewright/api/core/v1';
import { SystemClock } from '@kubewright/api/clock';
import { CacheBench } from '../test-support/cache-bench.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { Discovery } from '../transport/discovery/discovery.js';
import { Transport } from '../transport/sending/transport.js';
import { CachedClient } from './cached-client.js';
import { KnownSecrets } from '../log/known-secrets.js';
import { runInScope } from './scope/reconcile-scope.js';

const metadata = { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '7', creationTimestamp: '' };
const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [] } } as Pod;
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata } as ConfigMap;

/** Returns the smallest number of promises that a call creates, after a first call that opens the connection. */
async function promisesOf(call: () => Promise<unknown>): Promise<number> {
  let created = 0;
  const hook = createHook({ init: (_id, type) => void (type === 'PROMISE' && created++) });
  await call();
  const counts: number[] = [];
  for (let run = 0; run < 5; run++) {
    created = 0;
    hook.enable();
    await call();
    hook.disable();
    counts.push(created);
  }
  return Math.min(...counts);
}

/** The maximum number of promises of each call, in addition to those of the request. */
const MOST = { patchStatus: 8, patch: 8, create: 10, liveGet: 4 };

test('in addition to those of the request, a write of the client creates at most 8 promises, a create 10, and a live get 4', async () => {
  // A server without promises, because the test counts the promises of the process.
  const server = createServer((request, response) => {
    const object = request.url?.includes('configmaps') ? configMap : pod;
    request
      .resume()
      .on('end', () => response.setHeader('content-type', 'application/json').end(JSON.stringify(object)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await using transport = new Transport({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const client = new CachedClient({
    backend: () => ({ transport, discovery: new Discovery(transport) }),
    clock: new SystemClock(),
    logger: new RecordingLogger(),
    fieldManager: 'tester',
  });
  const path = '/api/v1/namespaces/shop/pods/web/status';
  const request = await promisesOf(() => transport.request({ method: 'PATCH', path, body: {} }));
  const { signal } = new AbortController();
  const scope = { controller: 'tester', owns: [], signal };
  let phase = 0;
  const calls: Readonly<Record<keyof typeof MOST, () => Promise<unknown>>> = {
    patchStatus: () => client.patchStatus(pod, { phase: String(phase++) }),
    patch: () => client.patch(pod, { merge: { metadata: { labels: { a: 'b' } } } }),
    create: () => client.create(configMap),
    liveGet: () => client.live.get(Pod, metadata),
  };
  const added: [keyof typeof MOST, number][] = [];
  for (const name of ['patchStatus', 'patch', 'create', 'liveGet'] as const) {
    added.push([name, (await promisesOf(() => runInScope(scope, calls[name]))) - request]);
  }
  await transport.close();
  server.close();
  for (const [name, count] of added) assert.ok(count <= MOST[name], `${name}: ${count} promises`);
});

test('a get or find of a cached object creates one promise, also in a reconcile', async () => {
  await using bench = await CacheBench.start({});
  const { transport, discovery, cache, clock, logger, server } = bench;
  const client = new CachedClient({ backend: { transport, discovery, cache }, clock, logger, fieldManager: 'tester' });
  const first = client.get(ConfigMap, { name: 'web', namespace: 'shop' });
  (await server.next()).list('10', [configMap]);
  const cached = await first;
  const { signal } = new AbortController();
  const scope = { controller: 'tester', owns: [ConfigMap], signal };
  const secrets = new KnownSecrets();
  const reads = [
    () => client.get(ConfigMap, { name: 'web', namespace: 'shop' }),
    () => client.find(ConfigMap, { name: 'web', namespace: 'shop' }),
    () => client.with({ namespace: 'shop' }).get(ConfigMap, { name: 'web', namespace: 'shop' }),
  ];
  // The await of the result creates a promise while the hook is enabled.
  const awaited = await promisesOf(() => first);
  const within = <R>(read: () => R): R => secrets.within(() => runInScope(scope, read));
  for (const read of reads) {
    assert.equal(await read(), cached);
    assert.equal((await promisesOf(read)) - awaited, 1);
    assert.equal(await within(read), cached);
    assert.equal((await promisesOf(() => within(read))) - awaited, 1);
  }
});
