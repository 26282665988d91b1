import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dynamicKind, isMetadataOnly, keyOf, type KubeObject, metadataOnly, mutable } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { ConfigMap } from '@kubewright/api/core/v1';
import { type Client, type ClientCall, type Cluster, index, isNotFound, type ListOptions } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { connectTo } from './cached-cluster.js';
import { configMap, Gadget, gadget, hasCode, NamedGadget, namesOf, namespace } from './client-kinds.js';

const NamedDeployment = dynamicKind<Deployment>('apps/v1', 'Deployment');
const byColor = index(Gadget, 'color', ({ spec }) => spec.color);
const bySize = index(Gadget, 'size', ({ spec }) => String(spec.size));

function deployment(name: string): Deployment {
  const labels = { app: name };
  const spec = { containers: [{ name: 'c', image: 'nginx' }] };
  return new Deployment({
    metadata: { name, namespace, labels },
    spec: { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
}

describe('reads in a test environment', () => {
  let env: TestEnvironment;
  let client: Client;
  // The server serves the kind Gadget, but the option `kinds` of the test environment does not contain Gadget.
  before(async () => {
    env = await startEnvironment();
    await env.install({ kinds: [Gadget] });
    client = env.client;
    for (const name of ['one', 'two']) await client.create(deployment(name));
    await client.create(gadget('red-1', { size: 1, color: 'red' }, { tier: 'web' }));
    await client.create(gadget('red-2', { size: 2, color: 'red' }, { tier: 'db' }));
    await client.create(gadget('blue-2', { size: 2, color: 'blue' }, { tier: 'web', extra: 'yes' }));
  });
  after(() => env[Symbol.asyncDispose]());

  test('[FK-01] get and list return equal objects, by the class and by the name of the kind', async () => {
    const key = { namespace, name: 'one' };
    const typed = await client.get(Deployment, key);
    assert.deepEqual(await client.get(NamedDeployment, key), typed);
    const list = await client.list(Deployment, { namespace });
    assert.deepEqual(namesOf(list), ['one', 'two']);
    assert.deepEqual(await client.list(NamedDeployment, { namespace }), list);
    assert.deepEqual(
      list.find(({ metadata }) => metadata.name === 'one'),
      typed,
    );
    await assert.rejects(client.get(Deployment, { namespace, name: 'three' }), isNotFound);
  });

  test('[FK-02] a list accepts the kind of its items, not the kind of the list, and each item contains its apiVersion and kind', async () => {
    const list = await client.list<KubeObject>(dynamicKind('apps/v1', 'Deployment'), { namespace });
    assert.deepEqual(namesOf(list), ['one', 'two']);
    for (const { apiVersion, kind } of list) assert.deepEqual([apiVersion, kind], ['apps/v1', 'Deployment']);
    const DeploymentList = dynamicKind('apps/v1', 'DeploymentList');
    await assert.rejects(client.list(DeploymentList, { namespace }), hasCode('KIND_NOT_SERVED'));
  });

  test('[FK-03] a read by class returns a change that was written by kind name', async () => {
    const key = { namespace, name: 'two' };
    const named = mutable(await client.get(NamedDeployment, key));
    named.spec.paused = true;
    await client.update<Deployment>(named);
    assert.equal((await client.get(Deployment, key)).spec.paused, true);
  });

  test('[FK-04] a client creates, reads, changes, and deletes objects of a kind that the client knows only by name', async () => {
    const cluster = await connectTo(env);
    try {
      const unknown = cluster.client;
      const made = await unknown.create(new NamedGadget({ metadata: { name: 'named', namespace }, spec: { size: 1 } }));
      assert.deepEqual(
        await unknown.get(NamedGadget, keyOf(made)),
        await unknown.live.get(NamedGadget, keyOf(made)).then(withoutManagedFields),
      );
      assert.ok(namesOf(await unknown.list(NamedGadget, { namespace })).includes('named'));
      const updated = await unknown.update<Gadget>({ ...made, spec: { size: 2 } });
      const patched = await unknown.patch(updated, (draft) => void (draft.spec.color = 'green'));
      assert.deepEqual(patched.spec, { size: 2, color: 'green' });
      await unknown.delete(patched);
      assert.equal(await unknown.find(NamedGadget, keyOf(made)), undefined);
    } finally {
      await cluster[Symbol.asyncDispose]();
    }
  });

  test('[FK-05] a client reads and patches the metadata of an object of a kind that is known only by its name, and deletes the object', async () => {
    const Bare = metadataOnly(NamedGadget);
    const made = await client.create(gadget('bare', { size: 1 }, { bare: 'yes' }));
    const bare = await client.get(Bare, keyOf(made));
    assert.ok(isMetadataOnly(bare) && !('spec' in bare));
    assert.deepEqual(namesOf(await client.list(Bare, { namespace, labels: { bare: 'yes' } })), ['bare']);
    const patched = await client.patch(bare, (draft) => void (draft.metadata.annotations.a = 'b'));
    assert.deepEqual(
      [patched.metadata.annotations, (await client.get(Gadget, keyOf(made))).spec.size],
      [{ a: 'b' }, 1],
    );
    await client.delete(patched, { mustExist: true });
    assert.equal(await client.find(Bare, keyOf(made)), undefined);
  });

  test('[FK-06] label selectors select objects by value and by existence, live and from the cache', async () => {
    for (const reader of [client, env.cluster.client]) {
      const names = async (labels: Record<string, string> | string): Promise<string[]> =>
        namesOf(await reader.list(Gadget, { namespace, labels }));
      assert.deepEqual(await names({ tier: 'web' }), ['blue-2', 'red-1']);
      assert.deepEqual(await names('extra'), ['blue-2']);
      assert.deepEqual(await names('tier,!extra'), ['red-1', 'red-2']);
      assert.deepEqual(await names({ tier: 'none' }), []);
    }
  });

  test('[FK-23] a watch reports created, changed, and deleted objects', async () => {
    const ending = new AbortController();
    const labels = { watched: 'yes' };
    const seen: string[] = [];
    const steps: (() => Promise<unknown>)[] = [
      () => client.patch(configMap('watched'), { merge: { data: { a: '1' } } }),
      () => client.delete(configMap('watched')),
      async () => ending.abort(),
    ];
    await client.create(configMap('watched', {}, labels));
    for await (const { type, object } of client.live.watch(ConfigMap, { namespace, labels, signal: ending.signal })) {
      seen.push(`${type} ${object.metadata.name} ${object.data?.a ?? ''}`.trim());
      await steps.shift()?.();
    }
    assert.deepEqual(seen, ['added watched', 'modified watched 1', 'deleted watched 1']);
  });

  test('[FK-25] a list by a field or an index fails if neither the server nor the cache supports the field or the index', async () => {
    await using cluster = await connectTo(env);
    for (const kind of [Gadget, NamedGadget]) {
      await assert.rejects(cluster.client.list(kind, { fields: { 'spec.color': 'red' } }), hasCode('UNSUPPORTED_READ'));
      await assert.rejects(
        client.list(kind, { fields: { 'spec.color': 'red' } }),
        /field label not supported: spec\.color/,
      );
      await assert.rejects(client.list(kind, { index: byColor('red') as never }), hasCode('INDEX_NEEDS_CACHE'));
      await assert.rejects(
        client.list(kind, { fields: { 'metadata.name': 'red-1', 'spec.color': 'red' } }),
        /field label not supported/,
      );
    }
    await assert.rejects(cluster.client.list(Gadget, { index: byColor('red') }), hasCode('UNKNOWN_INDEX'));
    await using _informer = await cluster.cache.informer(Gadget, { indexes: [byColor] });
    assert.equal((await cluster.client.list(Gadget, { index: byColor('red') })).length, 2);
    await assert.rejects(
      cluster.client.list(Gadget, { index: [byColor('red'), bySize('2')] }),
      hasCode('UNKNOWN_INDEX'),
    );
  });

  test('[FK-26, FK-28] indexes return matching objects, and combine with labels and with each other', async () => {
    await using cluster = await connectTo(env);
    await using _informer = await cluster.cache.informer(Gadget, { indexes: [byColor, bySize] });
    const names = async (options: ListOptions<Gadget>): Promise<string[]> =>
      namesOf(await cluster.client.list(Gadget, options));
    assert.deepEqual(await names({ index: byColor('red') }), ['red-1', 'red-2']);
    assert.deepEqual(await names({ index: byColor('green') }), []);
    assert.deepEqual(await names({ index: bySize('2') }), ['blue-2', 'red-2']);
    assert.deepEqual(await names({ index: byColor('red'), labels: { tier: 'db' } }), ['red-2']);
    assert.deepEqual(await names({ index: [byColor('red'), bySize('2')] }), ['red-2']);
    assert.deepEqual(await names({ index: [byColor('blue'), bySize('1')] }), []);
  });

  test('[FK-27] indexes can be added while objects are read and written', async () => {
    await using cluster = await connectTo(env);
    assert.ok((await cluster.client.list(Gadget)).length >= 3);
    const indexes = [1, 2, 3, 4].map((at) => index(Gadget, `by-${at}`, ({ spec }) => `${at}-${spec.color}`));
    const found = await Promise.all(
      indexes.map(async (one, at) => {
        await using _informer = await cluster.cache.informer(Gadget, { indexes: [one] });
        const made = await cluster.client.create(gadget(`indexed-${at}`, { color: 'gray' }));
        const gray = namesOf(await cluster.client.list(Gadget, { index: one(`${at + 1}-gray`) }));
        await cluster.client.delete(made);
        return gray.includes(`indexed-${at}`);
      }),
    );
    assert.deepEqual(found, [true, true, true, true]);
  });

  test('[FK-29] registering the same index twice is allowed, and another index with the same name is rejected', async () => {
    await using cluster = await connectTo(env);
    await using _first = await cluster.cache.informer(Gadget, { indexes: [byColor, byColor] });
    const other = index(Gadget, 'color', ({ metadata }) => metadata.name);
    await assert.rejects(cluster.cache.informer(Gadget, { indexes: [other] }), hasCode('INDEX_EXISTS'));
    assert.equal((await cluster.client.list(Gadget, { index: byColor('blue') })).length, 1);
  });

  test('[FK-31] any number of clients share the objects of one server', async () => {
    const clusters: Cluster[] = [await connectTo(env), await connectTo(env)];
    try {
      const [one, other] = clusters.map((cluster) => cluster.client.live);
      const made = await clusters[0]?.client.create(configMap('seen-by-all', { a: '1' }));
      assert.ok(one && other && made);
      assert.deepEqual(await other.get(ConfigMap, keyOf(made)), made);
      await clusters[1]?.client.delete(made);
      assert.equal(await one.find(ConfigMap, keyOf(made)), undefined);
    } finally {
      for (const cluster of clusters) await cluster[Symbol.asyncDispose]();
    }
  });

  test('[FK-55] get and list return cached objects without managed fields unless keepManagedFields is set', async () => {
    const key = { namespace, name: 'red-1' };
    const has = ({ metadata }: KubeObject): boolean => 'managedFields' in metadata;
    await using hidden = await connectTo(env);
    assert.equal(has(await hidden.client.get(Gadget, key)), false);
    assert.ok((await hidden.client.list(Gadget)).every((object) => !has(object)));
    assert.equal(has(await hidden.client.live.get(Gadget, key)), true);
    await using kept = await connectTo(env, { cache: { keepManagedFields: true } });
    assert.equal(has(await kept.client.get(Gadget, key)), true);
    assert.ok((await kept.client.list(Gadget)).every(has));
  });

  test('[FK-57] an interceptor wraps every call of its client and of clients derived from its client, and no call of other clients', async () => {
    const seen: string[] = [];
    const noting =
      (who: string) =>
      (call: ClientCall, next: () => Promise<unknown>): Promise<unknown> => {
        seen.push(`${who} ${call.verb}`);
        return next();
      };
    const outer = client.with({ intercept: noting('outer') });
    const inner = outer.with({ intercept: noting('inner') });
    await Promise.all(Array.from({ length: 10 }, () => inner.get(Gadget, { namespace, name: 'red-1' })));
    assert.deepEqual(
      [seen.filter((one) => one === 'outer get').length, seen.filter((one) => one === 'inner get').length],
      [10, 10],
    );
    seen.length = 0;
    await outer.list(Gadget);
    await client.list(Gadget);
    assert.deepEqual(seen, ['outer list']);
    const broken = client.with({ intercept: async () => Promise.reject(new Error('no network')) });
    await assert.rejects(broken.create(configMap('never')), /no network/);
    assert.equal(await client.find(ConfigMap, { namespace, name: 'never' }), undefined);
  });
});

function withoutManagedFields<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata as KubeObject['metadata'] & { managedFields?: unknown };
  return { ...object, metadata };
}
