import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dynamicKind, isMetadataOnly, type KindRef, type KubeObject, metadataOnly } from '@kubewright/api';
import { ConfigMap, Namespace, Pod } from '@kubewright/api/core/v1';
import { Foo } from '@kubewright/example-foo';
import { cacheOf, type Cluster, isNotFound } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { connectTo, createConfigMaps, hasCode, namesOf, startTeams } from './cached-cluster.js';

/** The ways to refer to a kind. Reads must return the same objects for each way. */
const FORMS: readonly {
  readonly form: string;
  readonly kind: KindRef;
  readonly clusterWide: KindRef;
  readonly cases: string;
}[] = [
  {
    form: 'a built-in kind',
    kind: ConfigMap,
    clusterWide: Namespace,
    cases: 'CA-01, CA-02, CA-03, CA-04, CA-05, CA-06, CA-09, CA-12, CA-13',
  },
  {
    form: 'a kind known by name',
    kind: dynamicKind('v1', 'ConfigMap'),
    clusterWide: dynamicKind('v1', 'Namespace'),
    cases: 'CA-15',
  },
  {
    form: 'metadata of a kind',
    kind: metadataOnly(ConfigMap),
    clusterWide: metadataOnly(Namespace),
    cases: 'CA-18',
  },
];

describe('reads from the cache', () => {
  let env: TestEnvironment;
  const open: Cluster[] = [];
  const connected = async (
    ...options: Parameters<typeof connectTo> extends [unknown, ...infer Rest] ? Rest : never
  ): Promise<Cluster> => {
    const cluster = await connectTo(env, ...options);
    open.push(cluster);
    return cluster;
  };
  before(async () => {
    env = await startTeams({ kinds: [Foo] });
    await createConfigMaps(env, {
      'team-a/one': { app: 'web' },
      'team-a/two': { app: 'db' },
      'team-b/three': { app: 'web' },
    });
    await env.client.create(
      new Foo({ metadata: { name: 'foo', namespace: 'team-a' }, spec: { deploymentName: 'web', replicas: 1 } }),
    );
  });
  after(async () => {
    for (const cluster of open) await cluster[Symbol.asyncDispose]();
    await env[Symbol.asyncDispose]();
  });

  for (const { form, kind, clusterWide, cases } of FORMS) {
    test(`[${cases}] get and list of ${form} open the informer, and select by namespace, labels, and limit`, async () => {
      const { client, cache } = await connected({ cache: { kinds: [cacheOf(kind)] } });
      const one = await client.get(kind, { namespace: 'team-a', name: 'one' });
      assert.deepEqual([one.apiVersion, one.kind, one.metadata.labels], ['v1', 'ConfigMap', { app: 'web' }]);
      assert.equal(cache.informers().length, 1);
      const within = { namespace: 'team-a' };
      const all = await client.list(kind, { labels: 'app' });
      assert.deepEqual(namesOf(all), ['one', 'three', 'two']);
      for (const { apiVersion, kind: name } of all) assert.deepEqual([apiVersion, name], ['v1', 'ConfigMap']);
      assert.deepEqual(namesOf(await client.list(kind, { ...within, labels: 'app' })), ['one', 'two']);
      assert.deepEqual(namesOf(await client.list(kind, { labels: { app: 'web' } })), ['one', 'three']);
      assert.deepEqual(namesOf(await client.list(kind, { ...within, labels: { app: 'web' } })), ['one']);
      assert.equal((await client.list(kind, { limit: 2 })).length, 2);
      await assert.rejects(client.list(kind, { limit: 0 }), hasCode('INVALID_OPTION', /limit/));
      const limited = await client.list(kind, { labels: { app: 'web' }, limit: 1 });
      assert.deepEqual(
        limited.map(({ metadata }) => metadata.labels?.app),
        ['web'],
      );
      await assert.rejects(client.get(kind, { ...within, name: 'none' }), isNotFound);
      assert.equal(await client.find(kind, { ...within, name: 'none' }), undefined);
      assert.deepEqual(await client.list(kind, { namespace: 'team-c', labels: 'app' }), []);
      assert.equal(cache.informers().length, 1);
    });

    test(`[CA-07, CA-08, CA-15, CA-18, CA-56, CA-57] all readers of ${form} share one frozen object`, async () => {
      const { client } = await connected({ cache: { kinds: [cacheOf(kind)] } });
      const key = { namespace: 'team-a', name: 'one' };
      const first = (await client.get(kind, key)) as KubeObject & { metadata: { labels: Record<string, string> } };
      assert.throws(() => Object.assign(first.metadata.labels, { app: 'changed' }), TypeError);
      assert.throws(() => Object.assign(first, { kind: 'Changed' }), TypeError);
      const listed = await client.list(kind, { namespace: 'team-a', labels: { app: 'web' } });
      assert.equal(await client.get(kind, key), first);
      assert.equal(listed[0], first);
      (listed as KubeObject[]).length = 0;
      assert.equal((await client.list(kind, { namespace: 'team-a', labels: { app: 'web' } })).length, 1);
    });

    test(`[CA-10, CA-14, CA-15, CA-16, CA-17, CA-18] for ${form}, the client caches cluster-scoped objects, reads an object in a namespace outside the cache from the server, and rejects a list there`, async () => {
      const { client } = await connected({ cache: { namespaces: ['team-a'], kinds: [cacheOf(kind)] } });
      assert.deepEqual(namesOf(await client.list(kind, { labels: 'app' })), ['one', 'two']);
      const foreign = { namespace: 'team-b', name: 'three' };
      assert.equal((await client.get(kind, foreign)).metadata.name, 'three');
      assert.equal(await client.find(kind, { ...foreign, name: 'none' }), undefined);
      await assert.rejects(
        client.list(kind, { namespace: 'team-b' }),
        hasCode('NAMESPACE_NOT_CACHED', /cache\.namespaces.*client\.live/),
      );
      const goOn = { continue: 'token' };
      await assert.rejects(
        // @ts-expect-error: the types reject this call, too
        client.list(kind, goOn),
        hasCode('UNSUPPORTED_READ', /the cache has no pages; omit 'continue'/),
      );
      await assert.rejects(client.list(kind, { namespace: 'team-a', ...goOn }), hasCode('UNSUPPORTED_READ'));
      const names = namesOf(await client.list(clusterWide));
      assert.ok(names.includes('team-b'));
    });
  }

  test('the client reads a class like a built-in kind, and returns only metadata for metadataOnly', async () => {
    const { client } = await connected();
    const foo = await client.get(Foo, { namespace: 'team-a', name: 'foo' });
    assert.equal(foo.spec.deploymentName, 'web');
    const other = await connected();
    const bare = await other.client.get(metadataOnly(Foo), { namespace: 'team-a', name: 'foo' });
    assert.deepEqual(Object.keys(bare), ['apiVersion', 'kind', 'metadata']);
    assert.ok(isMetadataOnly(bare));
    assert.equal(bare.kind, 'Foo');
  });

  test('[CA-17] a cache of several namespaces contains the objects of each namespace, and cluster-scoped objects', async () => {
    const kind = dynamicKind('v1', 'ConfigMap');
    const { client, cache } = await connected({ namespaces: ['team-a', 'team-b'] });
    assert.deepEqual(namesOf(await client.list(kind, { labels: 'app' })), ['one', 'three', 'two']);
    assert.ok(namesOf(await client.list(dynamicKind('v1', 'Namespace'))).includes('team-c'));
    assert.deepEqual(
      cache.informers().map((informer) => [informer.kind, informer.namespaces]),
      [
        ['ConfigMap', ['team-a', 'team-b']],
        ['Namespace', undefined],
      ],
    );
  });

  test('[CA-20, CA-21, CA-22, CA-23] without implicit informers, the client can read only the kinds under cache.kinds', async () => {
    const { client, cache } = await connected({ implicitInformers: false, cache: { kinds: [cacheOf(ConfigMap)] } });
    await assert.rejects(client.list(Pod), hasCode('UNDECLARED_KIND', /v1\/Pod.*cache\.kinds/));
    const refused = client.get(Pod, { namespace: 'team-a', name: 'one' });
    await assert.rejects(refused, (error) => hasCode('UNDECLARED_KIND')(error) && !isNotFound(error));
    assert.deepEqual(cache.informers(), []);
    assert.deepEqual(namesOf(await client.list(ConfigMap, { labels: 'app' })), ['one', 'three', 'two']);
    assert.equal((await client.get(ConfigMap, { namespace: 'team-b', name: 'three' })).data?.of, 'three');
  });

  test('[CA-11] a read fails if its signal is aborted before the read starts or while the read waits', async () => {
    const { client } = await connected();
    const reason = new Error('no longer wanted');
    await assert.rejects(client.list(ConfigMap, { signal: AbortSignal.abort(reason) }), reason);
    const Missing = dynamicKind('example.com/v1', 'Missing');
    const missing = client.with({ signal: AbortSignal.abort(reason) }).list(Missing);
    await assert.rejects(missing, reason);
    const controller = new AbortController();
    const read = client.get(ConfigMap, { namespace: 'team-a', name: 'one' }, { signal: controller.signal });
    controller.abort(reason);
    await assert.rejects(read, reason);
    assert.ok(await client.get(ConfigMap, { namespace: 'team-a', name: 'one' }));
  });

  test('whole objects of a kind that is cached as metadata cannot be read from the cache, but can be applied and read live', async () => {
    const { client } = await connected({ cache: { kinds: [cacheOf(ConfigMap, { metadataOnly: true })] } });
    const key = { namespace: 'team-a', name: 'one' };
    await assert.rejects(
      client.get(ConfigMap, key),
      hasCode('METADATA_ONLY', /metadataOnly\(ConfigMap\).*client\.live/),
    );
    assert.deepEqual((await client.get(metadataOnly(ConfigMap), key)).metadata.labels, { app: 'web' });
    assert.equal((await client.live.get(ConfigMap, key)).data?.of, 'one');
    const applied = await client.apply(new ConfigMap({ metadata: { ...key, name: 'applied' }, data: { a: 'b' } }));
    assert.deepEqual(applied.data, { a: 'b' });
    await client.delete(applied);
  });

  test('a live list with a limit returns at most that many objects', async () => {
    const { client } = await connected({ namespaces: ['team-a', 'team-b'] });
    assert.equal((await client.live.list(ConfigMap, { labels: 'app', limit: 1 })).length, 1);
    assert.equal((await client.live.list(ConfigMap, { labels: 'app', limit: 3 })).length, 3);
  });
});
