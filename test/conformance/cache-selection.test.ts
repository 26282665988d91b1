import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dynamicKind, type KindRef, type KubeObject, metadataOnly } from '@kubewright/api';
import { ConfigMap, Namespace, Secret } from '@kubewright/api/core/v1';
import { isNotFound } from '@kubewright/api/errors';
import { cacheOf, type CacheOptions, type CacheSettings, type Cluster, type Transform } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { connectTo, createConfigMaps, namesOf, startTeams } from './cached-cluster.js';

/** The kind ConfigMap as a class, as a dynamic kind, and as a metadata-only kind. */
const CONFIG_MAPS: readonly KindRef[] = [ConfigMap, dynamicKind('v1', 'ConfigMap'), metadataOnly(ConfigMap)];
/** A function that returns cache options with the given settings, either for one kind or for the whole cache. */
type Level = (settings: CacheSettings, more?: CacheOptions) => CacheOptions;
const OF_THE_KIND: Level = (settings, more) => ({ ...more, kinds: [cacheOf(ConfigMap, settings)] });
const OF_THE_CACHE: Level = (settings, more) => ({ ...more, ...settings, kinds: [cacheOf(ConfigMap)] });

describe('the selection of a cache', () => {
  let env: TestEnvironment;
  before(async () => {
    env = await startTeams();
    await createConfigMaps(env, {
      'team-a/one': { app: 'web', suite: 'here' },
      'team-a/two': { app: 'db', suite: 'here' },
      'team-b/three': { app: 'web', suite: 'here' },
      'team-c/four': { app: 'web', suite: 'here' },
    });
  });
  after(() => env[Symbol.asyncDispose]());

  /** Returns the names of all objects in the cache, and asserts that they are equal for each way to refer to the kind. */
  async function held(
    cache: CacheOptions,
    read?: (cluster: Cluster, kind: KindRef) => Promise<readonly KubeObject[]>,
  ): Promise<readonly string[]> {
    const all = await Promise.all(
      CONFIG_MAPS.map(async (kind) => {
        await using cluster = await connectTo(env, { cache });
        if (read !== undefined) return namesOf(await read(cluster, kind));
        await using informer = await cluster.cache.informer(kind);
        return namesOf(informer.list({ labels: 'suite' }));
      }),
    );
    const [first = []] = all;
    for (const other of all) assert.deepEqual(other, first);
    return first;
  }

  test('[CA-30, CA-31] a field selector of the kind or of the cache can select one object', async () => {
    for (const level of [OF_THE_KIND, OF_THE_CACHE]) {
      assert.deepEqual(await held(level({ fields: { 'metadata.name': 'one' } })), ['one']);
    }
  });

  test('[CA-32, CA-33] a field selector of the kind or of the cache can select several objects', async () => {
    for (const level of [OF_THE_KIND, OF_THE_CACHE]) {
      assert.deepEqual(await held(level({ fields: 'metadata.name!=one' })), ['four', 'three', 'two']);
    }
    const made = [
      new Secret({ metadata: { name: 'plain', namespace: 'team-a' }, type: 'Opaque' }),
      new Secret({ metadata: { name: 'special', namespace: 'team-a' }, type: 'example.com/special' }),
    ];
    for (const secret of made) await env.client.create(secret);
    await using cluster = await connectTo(env, {
      cache: { kinds: [cacheOf(Secret, { fields: { type: 'example.com/special' } })] },
    });
    await using secrets = await cluster.cache.informer(Secret);
    assert.deepEqual(namesOf(secrets.list()), ['special']);
  });

  test('[CA-34, CA-35] a label selector of the kind or of the cache can select one object or several', async () => {
    for (const level of [OF_THE_KIND, OF_THE_CACHE]) {
      assert.deepEqual(await held(level({ labels: { app: 'db' } })), ['two']);
      assert.deepEqual(await held(level({ labels: 'app in (web)' })), ['four', 'one', 'three']);
    }
  });

  test('[CA-36] an empty selector of a kind overrides the selector of the cache, also in the namespaces of the cache', async () => {
    const options: CacheOptions = {
      labels: { app: 'db' },
      namespaces: ['team-a', 'team-b'],
      kinds: [cacheOf(ConfigMap, { labels: '' })],
    };
    assert.deepEqual(await held(options), ['one', 'three', 'two']);
  });

  test('[CA-37] a selector of the cache applies to its namespaces', async () => {
    assert.deepEqual(await held({ labels: { app: 'web' }, namespaces: ['team-a', 'team-b'] }), ['one', 'three']);
  });

  test('[CA-38] a cache combines a label selector with a field selector', async () => {
    for (const level of [OF_THE_KIND, OF_THE_CACHE]) {
      const both = { labels: { app: 'web' }, fields: 'metadata.name!=one' };
      assert.deepEqual(await held(level(both)), ['four', 'three']);
    }
  });

  test('a cache with a selector reads unselected objects from the server, and rejects a list that would omit unselected objects', async () => {
    for (const kind of CONFIG_MAPS) {
      await using cluster = await connectTo(env, { cache: { labels: { app: 'web' } } });
      const db = { namespace: 'team-a', name: 'two' };
      assert.equal((await cluster.client.get(kind, db)).metadata.name, 'two');
      assert.equal((await cluster.client.find(kind, db))?.metadata.name, 'two');
      assert.equal(await cluster.client.find(kind, { ...db, name: 'none' }), undefined);
      await assert.rejects(cluster.client.get(kind, { ...db, name: 'none' }), isNotFound);
      await assert.rejects(cluster.client.list(kind), { code: 'SELECTION_INCOMPLETE', message: /labels 'app=web'/ });
      assert.deepEqual(namesOf(await cluster.client.list(kind, { labels: 'app=web,suite' })), ['four', 'one', 'three']);
    }
  });

  test('[CA-39] a selector without matches selects nothing and causes no error', async () => {
    for (const level of [OF_THE_KIND, OF_THE_CACHE]) {
      assert.deepEqual(await held(level({ labels: { app: 'none' } })), []);
      assert.deepEqual(await held(level({ fields: { 'metadata.name': 'none' } })), []);
    }
  });

  test('[CA-40] a field selector on metadata.namespace selects one namespace or excludes one namespace', async () => {
    for (const level of [OF_THE_KIND, OF_THE_CACHE]) {
      assert.deepEqual(await held(level({ fields: { 'metadata.namespace': 'team-a' } })), ['one', 'two']);
      assert.deepEqual(await held(level({ fields: 'metadata.namespace!=team-a', labels: 'suite' })), ['four', 'three']);
      assert.deepEqual(await held(level({ fields: { 'metadata.namespace': 'none' } })), []);
    }
  });

  test('[CA-41] a label selector selects Namespaces by their own labels', async () => {
    const label = { 'kubernetes.io/metadata.name': 'team-b' };
    for (const [labels, expected] of [
      [label, ['team-b']],
      [{ none: 'such' }, []],
    ] as const) {
      for (const cache of [{ labels }, { kinds: [cacheOf(Namespace, { labels })] }]) {
        await using cluster = await connectTo(env, { cache });
        await using informer = await cluster.cache.informer(Namespace);
        assert.deepEqual(namesOf(informer.list()), expected);
      }
    }
  });

  test('[CA-19] cache.namespaces limits namespaced kinds regardless of the selectors of other kinds', async () => {
    for (const [config, namespaces] of [
      [ConfigMap, Namespace],
      [metadataOnly(ConfigMap), metadataOnly(Namespace)],
    ] as readonly (readonly [KindRef, KindRef])[]) {
      const kinds = [cacheOf(Namespace, { fields: { 'metadata.name': 'team-c' } })];
      await using cluster = await connectTo(env, { cache: { namespaces: ['team-a'], kinds } });
      assert.deepEqual(namesOf(await cluster.client.list(config, { labels: 'suite' })), ['one', 'two']);
      await using informer = await cluster.cache.informer(namespaces);
      assert.deepEqual(namesOf(informer.list()), ['team-c']);
    }
  });

  test("[CA-42, CA-43] the namespace key '*' selects all namespaces if no other namespace is listed", async () => {
    const all = ['four', 'one', 'three', 'two'];
    assert.deepEqual(await held({ namespaces: ['*'] }), all);
    assert.deepEqual(await held({ kinds: [cacheOf(ConfigMap, { namespaces: ['*'] })], namespaces: ['team-a'] }), all);
  });

  test("[CA-44, CA-45] the namespace key '*' selects all namespaces that are not listed, and no object appears twice", async () => {
    const namespaces = { 'team-a': { labels: { app: 'db' } }, '*': { fields: 'metadata.name!=four' } };
    for (const options of [{ namespaces }, { kinds: [cacheOf(ConfigMap, { namespaces })] }]) {
      assert.deepEqual(await held(options), ['three', 'two']);
      const kinds: CacheOptions = { ...options, labels: { app: 'web' } };
      assert.deepEqual(await held(kinds), ['three', 'two']);
    }
    await using cluster = await connectTo(env, { cache: { namespaces: { 'team-a': {}, '*': {} }, labels: 'suite' } });
    await using informer = await cluster.cache.informer(ConfigMap);
    const reported: string[] = [];
    const signal = new AbortController();
    for await (const { object } of informer.changes({ signal: signal.signal })) {
      reported.push(object.metadata.name);
      if (reported.length === 4) signal.abort();
    }
    assert.deepEqual(reported.toSorted(), ['four', 'one', 'three', 'two']);
    assert.equal(informer.size, 4);
  });

  test('[CA-26, CA-27] a cache applies the transform of the kind, or of the cache if the kind has none, to objects that it lists and objects that its client writes', async () => {
    const marking =
      (by: string): Transform =>
      (object) => ({
        ...object,
        metadata: { ...object.metadata, annotations: { by } },
      });
    const transformedBy = async (cache: CacheOptions): Promise<string> => {
      const seen = await Promise.all(
        CONFIG_MAPS.map(async (kind) => {
          await using cluster = await connectTo(env, { cache });
          const read = await cluster.client.get(kind, { namespace: 'team-a', name: 'one' });
          assert.ok(Object.isFrozen(read.metadata.annotations));
          return read.metadata.annotations?.by;
        }),
      );
      return [...new Set(seen)].join(' ');
    };
    assert.equal(await transformedBy({ transform: marking('cache') }), 'cache');
    assert.equal(
      await transformedBy({ transform: marking('cache'), kinds: [cacheOf(ConfigMap, { transform: marking('kind') })] }),
      'kind',
    );
    assert.equal(
      await transformedBy({ transform: marking('cache'), kinds: [cacheOf(Secret, { transform: marking('other') })] }),
      'cache',
    );
    const transform = (object: ConfigMap): ConfigMap => ({ ...object, data: {} });
    await using cluster = await connectTo(env, { cache: { kinds: [cacheOf(ConfigMap, { transform })] } });
    const key = { namespace: 'team-b', name: 'written' };
    await cluster.client.list(ConfigMap);
    await cluster.client.create(new ConfigMap({ metadata: key, data: { large: 'text' } }));
    assert.deepEqual((await cluster.client.get(ConfigMap, key)).data, {});
    assert.deepEqual((await cluster.client.live.get(ConfigMap, key)).data, { large: 'text' });
    await env.client.delete(await env.client.get(ConfigMap, key));
  });

  test('[CA-28] a cache removes managed fields unless keepManagedFields is set for the kind or for the cache', async () => {
    const managed = async (cache: CacheOptions): Promise<boolean> => {
      await using cluster = await connectTo(env, { cache });
      const { metadata } = await cluster.client.get(ConfigMap, { namespace: 'team-a', name: 'one' });
      return 'managedFields' in metadata;
    };
    assert.equal(await managed({}), false);
    assert.equal(await managed({ keepManagedFields: true }), true);
    assert.equal(await managed({ kinds: [cacheOf(ConfigMap, { keepManagedFields: true })] }), true);
    assert.equal(
      await managed({ keepManagedFields: true, kinds: [cacheOf(ConfigMap, { keepManagedFields: false })] }),
      false,
    );
  });
});
