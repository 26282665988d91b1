import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dynamicKind, type KindRef, type KubeObject, metadataOnly } from '@kubewright/api';
import { ConfigMap, Namespace, Pod, Secret } from '@kubewright/api/core/v1';
import {
  cacheOf,
  type Change,
  type Cluster,
  index,
  type Informer,
  type InformerStatistics,
  Manager,
} from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { connectTo, createConfigMaps, hasCode, RecordingLogger, namesOf, startTeams } from './cached-cluster.js';

const FORMS: readonly (readonly [form: string, kind: KindRef])[] = [
  ['a built-in kind', ConfigMap],
  ['a kind known by name', dynamicKind('v1', 'ConfigMap')],
  ['metadata of a kind', metadataOnly(ConfigMap)],
];

/** Returns the first change that matches `isDesired`. */
async function changed<T extends KubeObject>(
  informer: Informer<T>,
  isDesired: (change: Change<T>) => boolean,
): Promise<Change<T>> {
  for await (const change of informer.changes()) if (isDesired(change)) return change;
  throw new Error('the changes ended');
}
const named =
  (type: Change<KubeObject>['type'], name: string) =>
  (change: Change<KubeObject>): boolean =>
    change.type === type && change.object.metadata.name === name;

describe('informers at run time', () => {
  let env: TestEnvironment;
  let isHeld = false;
  const open: Cluster[] = [];
  const connected = async (
    ...options: Parameters<typeof connectTo> extends [unknown, ...infer Rest] ? Rest : never
  ): Promise<Cluster> => {
    const cluster = await connectTo(env, ...options);
    open.push(cluster);
    return cluster;
  };
  before(async () => {
    env = await startTeams({
      // The server rejects lists and watches of Secrets while `isHeld` is true.
      faults: {
        onRequest: ({ verb, resource }) =>
          isHeld && resource === 'secrets' && (verb === 'list' || verb === 'watch')
            ? { kind: 'status', code: 503 }
            : undefined,
      },
    });
    await createConfigMaps(env, {
      'team-a/one': { app: 'web', suite: 'here' },
      'team-b/two': { app: 'db', suite: 'here' },
    });
  });
  after(async () => {
    for (const cluster of open) await cluster[Symbol.asyncDispose]();
    await env[Symbol.asyncDispose]();
  });

  for (const [form, kind] of FORMS) {
    test(`[CA-47, CA-48] an informer of ${form} reports the creation and the deletion of an object`, async () => {
      const { cache } = await connected({ cache: { labels: 'suite' } });
      await using informer = await cache.informer(kind);
      const made = changed(informer, named('added', 'reported'));
      const deletion = changed(informer, named('deleted', 'reported'));
      const [reported] = await createConfigMaps(env, { 'team-c/reported': { suite: 'here' } });
      assert.ok(reported);
      assert.equal((await made).object.metadata.uid, reported.metadata.uid);
      await env.client.delete(reported);
      assert.equal((await deletion).object.metadata.uid, reported.metadata.uid);
    });

    test(`[CA-49] an informer of ${form} can be closed and opened again`, async () => {
      const { cache, client } = await connected({ cache: { labels: 'suite' } });
      const first = await cache.informer(kind);
      assert.deepEqual(namesOf(first.list()), ['one', 'two']);
      await first[Symbol.asyncDispose]();
      assert.deepEqual(cache.informers(), []);
      await using second = await cache.informer(kind);
      assert.deepEqual(namesOf(second.list()), ['one', 'two']);
      assert.deepEqual(namesOf(await client.list(kind, { labels: 'suite' })), ['one', 'two']);
    });

    test(`[CA-51, CA-53, CA-54] an informer of ${form} lists objects by one index and by several indexes`, async () => {
      const { cache } = await connected({ cache: { labels: 'suite' } });
      const byApp = index<KubeObject>(kind, 'app', ({ metadata }) => metadata.labels?.app);
      const byNamespace = index<KubeObject>(kind, 'namespace', ({ metadata }) => metadata.namespace);
      await using informer = await cache.informer<KubeObject>(kind, { indexes: [byApp, byNamespace] });
      assert.deepEqual(namesOf(informer.list({ index: byApp('web') })), ['one']);
      assert.deepEqual(namesOf(informer.list({ index: [byApp('web'), byNamespace('team-a')] })), ['one']);
      assert.deepEqual(namesOf(informer.list({ index: [byApp('web'), byNamespace('team-b')] })), []);
      assert.deepEqual(namesOf(informer.list({ index: byNamespace('team-b'), labels: { app: 'db' } })), ['two']);
      const unknown = index<KubeObject>(kind, 'unknown', () => undefined);
      assert.throws(
        () => informer.list({ index: [byApp('web'), unknown('x')] }),
        hasCode('UNKNOWN_INDEX', /app, namespace/),
      );
    });
  }

  test('[CA-52] adding an index to an informer does not change the cached cluster-scoped objects', async () => {
    const { cache, client } = await connected();
    const byName = index(Namespace, 'name', ({ metadata }) => metadata.name);
    await using informer = await cache.informer(Namespace, { indexes: [byName] });
    const [found] = informer.list({ index: byName('team-a') });
    assert.equal(found?.metadata.namespace, undefined);
    const { managedFields: _, ...metadata } = (await client.live.get(Namespace, { name: 'team-a' }))
      .metadata as Namespace['metadata'] & { managedFields?: unknown };
    assert.deepEqual(found?.metadata, metadata);
  });

  test('[CA-24, CA-25, CA-50, CA-55] reads wait for the first list or until their signal is aborted, and informers and indexes can be requested without waiting', async () => {
    const { cache, client } = await connected({ cache: { kinds: [cacheOf(Secret)] } });
    isHeld = true;
    const byType = index(Secret, 'type', ({ type }) => type);
    await using informer = await cache.informer(Secret, { waitForSync: false, indexes: [byType] });
    assert.equal(informer.size, 0);
    const waiting = new AbortController();
    const refused = cache.informer(Secret, { signal: waiting.signal });
    const refusedByName = cache.informer(dynamicKind('v1', 'Secret'), { signal: waiting.signal });
    const read = client.list(Secret, { signal: waiting.signal });
    const reason = new Error('waited long enough');
    waiting.abort(reason);
    await Promise.all([refused, refusedByName, read].map((each) => assert.rejects(each, reason)));
    await env.client.create(new Secret({ metadata: { name: 'late', namespace: 'team-a' }, type: 'example.com/late' }));
    const pendingList = client.list(Secret, { namespace: 'team-a' });
    isHeld = false;
    assert.deepEqual(namesOf(await pendingList), ['late']);
    await informer.synced();
    assert.deepEqual(namesOf(informer.list({ index: byType('example.com/late') })), ['late']);
  });

  test('[CA-46] a manager rejects a second start', async () => {
    await using manager = new Manager({ connection: env.connection, logger: new RecordingLogger(), signals: false });
    await manager.start();
    await assert.rejects(manager.start(), hasCode('ALREADY_STARTED'));
  });

  test('addNamespace and removeNamespace of the cache change the namespaces of running informers', async () => {
    const { cache, client } = await connected({ cache: { namespaces: ['team-a'], labels: 'suite' } });
    await using informer = await cache.informer(ConfigMap);
    assert.deepEqual(namesOf(informer.list()), ['one']);
    const deletion = changed(informer, named('deleted', 'two'));
    await cache.addNamespace('team-b');
    await cache.addNamespace('team-b');
    assert.deepEqual(namesOf(await client.list(ConfigMap, { labels: 'suite' })), ['one', 'two']);
    assert.equal((await client.live.list(ConfigMap, { labels: 'suite' })).length, 2);
    await using later = await cache.informer(Secret, { waitForSync: false });
    assert.deepEqual(
      cache.informers().map(({ namespaces }) => namespaces),
      [
        ['team-a', 'team-b'],
        ['team-a', 'team-b'],
      ],
    );
    await createConfigMaps(env, { 'team-b/three': { suite: 'here' } });
    await changed(informer, named('added', 'three'));
    await cache.removeNamespace('team-b');
    await cache.removeNamespace('team-b');
    assert.deepEqual(namesOf(informer.list()), ['one']);
    assert.equal((await deletion).type === 'deleted' && informer.size, 1);
    await assert.rejects(
      client.list(ConfigMap, { namespace: 'team-b' }),
      hasCode('NAMESPACE_NOT_CACHED', /addNamespace/),
    );
    await assert.rejects(
      cache.removeNamespace('team-a'),
      hasCode('NAMESPACES_FIXED', /must keep at least one namespace/),
    );
    await assert.rejects(cache.addNamespace('No'), hasCode('INVALID_CACHE'));
    await later[Symbol.asyncDispose]();
    await env.client.delete(await env.client.get(ConfigMap, { namespace: 'team-b', name: 'three' }));
    const whole = await connected();
    await assert.rejects(whole.cache.addNamespace('team-b'), hasCode('NAMESPACES_FIXED', /'namespaces'/));
  });

  test('readers of whole objects and readers of metadata share one store', async () => {
    const { cache } = await connected({ cache: { labels: 'suite' } });
    await using whole = await cache.informer(ConfigMap);
    await using byName = await cache.informer(dynamicKind('v1', 'ConfigMap'));
    await using bare = await cache.informer(metadataOnly(ConfigMap));
    assert.equal(cache.informers().length, 1);
    assert.equal(byName.size, whole.size);
    assert.equal(
      bare.get({ namespace: 'team-a', name: 'one' })?.metadata.uid,
      whole.get({ namespace: 'team-a', name: 'one' })?.metadata.uid,
    );
  });

  test('informers report the number of objects, the number of bytes, and the selectors', async () => {
    const { cache } = await connected({ cache: { namespaces: ['team-a'], labels: 'suite' } });
    await using whole = await cache.informer(ConfigMap);
    const bytes = (): number => cache.informers()[0]?.bytes ?? 0;
    const { bytes: before, ...rest } = { ...statisticsOf(cache) };
    assert.deepEqual(rest, {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      namespaces: ['team-a'],
      labels: 'suite',
      fields: undefined,
      metadataOnly: false,
      size: 1,
    });
    assert.ok(before > 100 && before < 1000, `${before}`);
    const large = {
      metadata: { name: 'large', namespace: 'team-a', labels: { suite: 'here' } },
      data: { text: 'x'.repeat(10_000) },
    };
    const made = await env.client.create(new ConfigMap(large));
    await cache.seen(made);
    assert.ok(bytes() > before + 10_000);
    const deletion = changed(whole, named('deleted', 'large'));
    await env.client.delete(made);
    await deletion;
    assert.equal(bytes(), before);
    await whole[Symbol.asyncDispose]();
    await using bare = await cache.informer(metadataOnly(ConfigMap));
    assert.equal(bare.size, 1);
    assert.ok(bytes() > 0 && statisticsOf(cache).metadataOnly);
  });

  test('a cache warns once about a core kind that is cached cluster-wide, but not if the kind has a selector or is listed in the cache options', async () => {
    const logger = new RecordingLogger();
    const { cache, client } = await connected({ logger });
    await client.list(ConfigMap);
    await using selected = await cache.informer(Pod, { labels: { app: 'web' } });
    await using inOne = await cache.informer(Secret, { namespace: 'team-a' });
    await using bare = await cache.informer(metadataOnly(Pod));
    await using again = await cache.informer(ConfigMap);
    assert.deepEqual([selected.size, inOne.size > 0, bare.size, again.size > 0], [0, true, 0, true]);
    assert.equal(logger.warnings.length, 1);
    assert.match(
      logger.warnings[0] ?? '',
      /^caching every ConfigMap in the cluster.*cacheOf\(ConfigMap.*metadataOnly\(ConfigMap\)/,
    );
    const meant = new RecordingLogger();
    const other = await connected({ logger: meant, cache: { kinds: [cacheOf(ConfigMap)] } });
    await other.client.list(ConfigMap);
    assert.deepEqual(meant.warnings, []);
  });
});

function statisticsOf(cache: Cluster['cache']): InformerStatistics {
  const [first] = cache.informers();
  assert.ok(first);
  const { kind, apiVersion, namespaces, labels, fields, metadataOnly: bare, size, bytes } = first;
  return { kind, apiVersion, namespaces, labels, fields, metadataOnly: bare, size, bytes };
}
