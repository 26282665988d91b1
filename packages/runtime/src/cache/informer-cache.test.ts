import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { ConfigMap } from '@kubewright/api/core/v1';
import { CacheBench, type CacheBenchOptions } from '../test-support/cache-bench.js';
import { configMap } from '../test-support/reflector-bench.js';
import type { Exchange, ScriptedServer } from '../test-support/scripted-server.js';
import { index } from './store/index-declaration.js';
import type { InformerCache } from './informer-cache.js';

async function withCache(
  options: CacheBenchOptions,
  run: (cache: InformerCache, server: ScriptedServer) => Promise<void>,
): Promise<void> {
  await using bench = await CacheBench.start(options);
  await run(bench.cache, bench.server);
}

async function listed(server: ScriptedServer, ...objects: readonly unknown[]): Promise<Exchange> {
  (await server.next()).list('10', objects);
  return server.next();
}

test('two declarations of the same kind share one informer, and releasing the last declaration ends the watch', () =>
  withCache({}, async (cache, server) => {
    const [first, second] = await Promise.all([cache.acquire(ConfigMap), cache.acquire(ConfigMap)]);
    const watch = await listed(server, configMap('a', '1'));
    await Promise.all([first.synced(), second.synced()]);
    assert.equal(server.requests, 2);
    assert.equal(cache.informers().length, 1);
    await first[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    assert.equal(second.size, 1);
    assert.equal(cache.informersOf(ConfigMap)[0]?.size, 1);
    await second[Symbol.asyncDispose]();
    await watch.closed;
    assert.deepEqual(cache.informersOf(ConfigMap), []);
  }));

test('two declarations share one watch if one declaration covers the other, and each returns only its own objects', () =>
  withCache({}, async (cache, server) => {
    const whole = await cache.acquire(ConfigMap);
    const web = await cache.acquire(ConfigMap, { labels: { app: 'web' } });
    const labels = { app: 'web' };
    await listed(server, configMap('a', '1'), configMap('b', '2', { metadata: { labels } }));
    await Promise.all([whole.synced(), web.synced()]);
    assert.equal(server.requests, 2);
    assert.equal(cache.informersOf(ConfigMap).length, 1);
    assert.deepEqual([whole.size, web.size], [2, 1]);
    assert.deepEqual(
      [web.get(configMap('a', '1').metadata), web.list({ limit: 1 })[0]?.metadata.name],
      [undefined, 'b'],
    );
  }));

test('opens a watch with the selectors of each declaration if no declaration covers another declaration', () =>
  withCache({}, async (cache, server) => {
    await cache.acquire(ConfigMap, { labels: { app: 'web' } });
    await cache.acquire(ConfigMap, { labels: { app: 'db' } });
    const selectors = [(await server.next()).query.labelSelector, (await server.next()).query.labelSelector];
    assert.deepEqual(new Set(selectors), new Set(['app=db', 'app=web']));
    assert.equal(cache.informersOf(ConfigMap).length, 1);
  }));

test('waits for the first list of an informer, and finds objects by index afterwards', () =>
  withCache({}, async (cache, server) => {
    const byName = index(ConfigMap, 'name', (object) => object.metadata.name);
    const requested = cache.informer(ConfigMap);
    await listed(server, configMap('a', '1'), configMap('b', '2'));
    await using informer = await requested;
    const shared = await cache.acquire(ConfigMap, { indexes: [byName] });
    assert.deepEqual(
      informer.list({ index: byName('b') }).map((object) => object.metadata.name),
      ['b'],
    );
    assert.equal(shared.byIndex(byName('c')).length, 0);
  }));

test('[CG-093] applies the transform of the cache to every stored object', () =>
  withCache(
    {
      transform: (object) => ({ ...object, metadata: { ...object.metadata, annotations: {} } }),
    },
    async (cache, server) => {
      const informer = await cache.acquire(ConfigMap);
      const object = configMap('a', '1', { metadata: { annotations: { big: 'text' } } });
      await listed(server, object);
      await informer.synced();
      assert.deepEqual(informer.get(object.metadata)?.metadata.annotations, {});
    },
  ));

for (const keepManagedFields of [false, true]) {
  test(`${keepManagedFields ? 'keeps' : 'removes'} managedFields in objects from the server and in own writes`, () =>
    withCache({ keepManagedFields }, async (cache, server) => {
      const informer = await cache.acquire(ConfigMap);
      const managedFields = [{ manager: 'me' }];
      await listed(server, configMap('a', '1', { metadata: { managedFields } }));
      await informer.synced();
      const read = (): object | undefined => informer.get({ namespace: 'default', name: 'a' })?.metadata;
      const kept = keepManagedFields ? { managedFields } : {};
      assert.deepEqual(read(), { ...configMap('a', '1').metadata, ...kept });
      cache.wrote(configMap('a', '15', { metadata: { managedFields } }));
      assert.deepEqual(read(), { ...configMap('a', '15').metadata, ...kept });
    }));
}

test('applies own writes and deletions to each informer of the kind', () =>
  withCache({}, async (cache, server) => {
    const informer = await cache.acquire(ConfigMap);
    await listed(server, configMap('a', '1'));
    await informer.synced();
    cache.wrote(configMap('a', '15'));
    assert.equal(informer.get(configMap('a', '1').metadata)?.metadata.resourceVersion, '15');
    cache.deleted({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: 'default', name: 'a' });
    assert.equal(informer.size, 0);
  }));

test('rejects new informers after the cache is closed', () =>
  withCache({}, async (cache) => {
    await cache.close();
    await assert.rejects(
      cache.acquire(ConfigMap),
      (error) => error instanceof KubewrightError && error.code === 'INFORMER_CLOSED',
    );
  }));
