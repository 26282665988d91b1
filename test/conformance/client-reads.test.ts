import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  dynamicKind,
  isMetadataOnly,
  type KindRef,
  keyOf,
  type KubeObject,
  metadataOnly,
  mutable,
} from '@kubewright/api';
import { ConfigMap, Secret } from '@kubewright/api/core/v1';
import {
  AccessRecord,
  type Client,
  isExpired,
  isNotFound,
  type Page,
  Result,
  type WatchEvent,
} from '@kubewright/runtime';
import { labelSelectorFromObject as selectorFrom } from '@kubewright/api/selectors';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import {
  clusterScoped,
  configMap,
  Gadget,
  gadget,
  hasCode,
  kinds,
  NamedGadget,
  namesOf,
  namespace,
  namespaceCalled,
  namespaced,
  Phantom,
} from './client-kinds.js';

describe('reads of a client', () => {
  let env: TestEnvironment;
  let client: Client;
  before(async () => {
    env = await startEnvironment({ kinds });
    client = env.client;
  });
  after(() => env[Symbol.asyncDispose]());

  for (const { how, kind, object } of [...namespaced, ...clusterScoped]) {
    test(`[CL-40, CL-43, CL-46, CL-51] objects of ${how} (${kind.name}) are equal when read from the cache, live, and as metadata`, async () => {
      const labels = { reading: how.replaceAll(' ', '-') };
      const given = object(`read-${labels.reading}`);
      const made = await client.create({ ...given, metadata: { ...given.metadata, labels } });
      const key = keyOf(made);
      for (const reader of [client, client.live, env.cluster.client]) {
        assert.deepEqual(withoutManagers(await reader.get(kind, key)), withoutManagers(made));
        assert.deepEqual(namesOf(await reader.list(kind, { labels })), [made.metadata.name]);
        assert.deepEqual(await reader.list(kind, { labels: 'reading=nowhere' }), []);
        await assert.rejects(reader.get(kind, { ...key, name: 'absent' }), isNotFound);
      }
      const bare = metadataOnly(kind);
      for (const read of [await client.get(bare, key), ...(await client.list(bare, { labels }))]) {
        assert.ok(isMetadataOnly(read) && Object.isFrozen(read.metadata));
        assert.deepEqual(
          [read.apiVersion, read.kind, read.metadata.uid],
          [made.apiVersion, made.kind, made.metadata.uid],
        );
      }
      await client.delete(await client.get(bare, key), { mustExist: true });
      assert.equal(await client.find(kind, key), undefined);
    });

    test(`[CL-54] a watch of ${how} (${kind.name}) reports a created object, whole or as metadata`, async () => {
      const given = object(`watched-${how.replaceAll(' ', '-')}`);
      const labels = { watched: `${kind.name}-${how.replaceAll(' ', '-')}` };
      const { resourceVersion } = await pageOf(client, kind);
      const whole = firstOf(client.live.watch(kind, { labels, resourceVersion }));
      const bare = firstOf(client.live.watch(metadataOnly(kind), { labels, resourceVersion }));
      const made = await client.create({ ...given, metadata: { ...given.metadata, labels } });
      const [seen, seenBare] = [await whole, await bare];
      assert.deepEqual([seen.type, seen.object.metadata.uid], ['added', made.metadata.uid]);
      assert.deepEqual(withoutManagers(seen.object), withoutManagers(made));
      assert.deepEqual([seenBare.type, seenBare.object.metadata.uid], ['added', made.metadata.uid]);
      assert.ok(isMetadataOnly(seenBare.object) && !isMetadataOnly(seen.object));
    });
  }

  test('a watch returns existing objects first, then changes, and ends with its signal', async () => {
    await client.create(configMap('watch-a', {}, { watch: 'one' }));
    const stop = new AbortController();
    const reported: string[] = [];
    let made: ConfigMap | undefined;
    for await (const { type, object } of client.live.watch(ConfigMap, {
      namespace,
      labels: { watch: 'one' },
      signal: stop.signal,
    })) {
      reported.push(`${type} ${object.metadata.name}`);
      if (reported.length === 1) made = await client.create(configMap('watch-b', {}, { watch: 'one' }));
      if (reported.length === 2 && made) await client.patch(made, (draft) => void (draft.data = { changed: 'yes' }));
      if (reported.length === 3 && made) await client.delete(made);
      if (reported.length === 4) stop.abort();
    }
    assert.deepEqual(reported, ['added watch-a', 'added watch-b', 'modified watch-b', 'deleted watch-b']);
    const old = client.live.watch(ConfigMap, { fields: { 'metadata.name': 'watch-a' }, namespace });
    assert.equal((await firstOf(old)).object.metadata.name, 'watch-a');
  });

  test('[CL-45] a read does not change an object that an earlier read returned, and does not return old data of the object', async () => {
    const made = await client.create(configMap('reset', { old: '1' }));
    const next = mutable(made);
    next.data = { fresh: '1' };
    await client.update<ConfigMap>(next);
    for (const reader of [client, client.live, env.cluster.client]) {
      assert.deepEqual((await reader.get(ConfigMap, keyOf(made))).data, { fresh: '1' });
    }
    assert.deepEqual(made.data, { old: '1' });
  });

  test('[CL-47, CL-48] the client lists a kind that is known only by its name, and rejects a list by the name of the list kind', async () => {
    await client.create(gadget('by-name', {}, { 'by-name': 'yes' }));
    const listed = await client.list(NamedGadget, { labels: { 'by-name': 'yes' } });
    assert.deepEqual(
      listed.map(({ kind, apiVersion }) => `${apiVersion} ${kind}`),
      ['client.example.com/v1 Gadget'],
    );
    assert.deepEqual(listed, await client.list(Gadget, { labels: { 'by-name': 'yes' } }));
    await assert.rejects(client.list(dynamicKind('client.example.com/v1', 'GadgetList')), hasCode('KIND_NOT_SERVED'));
    await assert.rejects(client.list(Phantom), hasCode('KIND_NOT_SERVED'));
  });

  test('[CL-49, CO-06, CO-07, CO-08, CO-09] a list selects by namespace, labels, and fields, and combines all selectors', async () => {
    await client.create(namespaceCalled('selecting'));
    const make = (name: string, labels: Record<string, string>, within = 'selecting'): Promise<ConfigMap> =>
      client.create(new ConfigMap({ metadata: { name, namespace: within, labels: { set: 'sel', ...labels } } }));
    await make('a', { tier: 'web', env: 'dev' });
    await make('b', { tier: 'web' });
    await make('c', { tier: 'db', env: 'prod' });
    await make('d', { tier: 'web', env: 'dev' }, namespace);
    const live = async (options: Parameters<Client['list']>[1]): Promise<string[]> =>
      namesOf(await client.list(ConfigMap, options));
    assert.deepEqual(await live({ labels: { set: 'sel', tier: 'web' } }), ['a', 'b', 'd']);
    assert.deepEqual(await live({ namespace: 'selecting', labels: { set: 'sel' } }), ['a', 'b', 'c']);
    assert.deepEqual(await live({ namespace: 'selecting', labels: { tier: 'web' } }), ['a', 'b']);
    assert.deepEqual(await live({ fields: { 'metadata.name': 'c' }, namespace: 'selecting' }), ['c']);
    assert.deepEqual(await live({ fields: 'metadata.name!=c', namespace: 'selecting', labels: { set: 'sel' } }), [
      'a',
      'b',
    ]);
    for (const reader of [client, env.cluster.client]) {
      const read = async (labels: NonNullable<Parameters<Client['list']>[1]>['labels']): Promise<string[]> =>
        namesOf(await reader.list(ConfigMap, { namespace: 'selecting', ...(labels && { labels }) }));
      assert.deepEqual(await read([{ set: 'sel' }, 'env']), ['a', 'c']);
      assert.deepEqual(await read([{ tier: 'web' }, 'env', 'set']), ['a']);
      assert.deepEqual(
        await read([{ set: 'sel' }, selectorFrom({ matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] })]),
        ['b'],
      );
      assert.deepEqual(await read(selectorFrom(undefined)), []);
      assert.deepEqual(await read([{ set: 'sel' }, selectorFrom(undefined)]), []);
      await assert.rejects(read({ tier: 'no, value' }), hasCode('INVALID_SELECTOR'));
      await assert.rejects(read({ tier: 'web', env: 'a=b' }), hasCode('INVALID_SELECTOR'));
    }
    const first = { namespace: 'selecting', labels: { tier: 'web' } };
    assert.deepEqual(await live({ ...first, labels: selectorFrom({ matchLabels: { tier: 'db' } }) }), ['c']);
  });

  test('[CL-50] the client pages through a list with limit and continue, by iteration and manually', async () => {
    for (let at = 0; at < 7; at++) await client.create(configMap(`page-${at}`, {}, { paged: 'yes' }));
    const labels = { paged: 'yes' };
    const sizes: number[] = [];
    const names: string[] = [];
    for await (const page of client.live.pages(ConfigMap, { namespace, labels, limit: 3 })) {
      sizes.push(page.items.length);
      names.push(...page.items.map(({ metadata }) => metadata.name));
    }
    assert.deepEqual(sizes, [3, 3, 1]);
    assert.deepEqual(
      names,
      Array.from({ length: 7 }, (_, at) => `page-${at}`),
    );
    const first = await pageOf(client, ConfigMap, { namespace, labels, limit: 5 });
    assert.ok(first.continue);
    const rest = await pageOf(client, ConfigMap, { namespace, labels, limit: 5, continue: first.continue });
    assert.deepEqual([namesOf(rest.items), rest.continue], [['page-5', 'page-6'], undefined]);
    assert.equal(rest.resourceVersion, first.resourceVersion);
    const bare = await pageOf(client, metadataOnly(ConfigMap), { namespace, labels, limit: 2 });
    assert.ok(bare.items.every(isMetadataOnly));
    await assert.rejects(pageOf(client, ConfigMap, { limit: 0 }), hasCode('INVALID_OPTION'));
    await assert.rejects(pageOf(client, ConfigMap, { continue: 'nonsense' }), (error) => !isExpired(error));
  });

  test('[CL-05, CL-51, CL-52, CL-53] the client reads from the cache or from the server according to the client settings, for all kinds or for some', async () => {
    await client.create(gadget('where'));
    const read = async (settings: Parameters<Client['with']>[0], kind: KindRef): Promise<string[]> => {
      const record = new AccessRecord();
      const reader = env.cluster.client.with({ ...settings, record });
      await reader.get(kind, { namespace, name: 'where' });
      await reader.list(kind, { namespace });
      return record.used.map(({ resource, verb }) => `${verb} ${resource}`);
    };
    const cached = ['list gadgets', 'watch gadgets'];
    const live = ['get gadgets', 'list gadgets'];
    assert.deepEqual(await read({}, Gadget), cached);
    assert.deepEqual(await read({}, NamedGadget), cached);
    assert.deepEqual(await read({ reads: 'live' }, Gadget), live);
    assert.deepEqual(await read({ reads: { live: [Gadget] } }, Gadget), live);
    assert.deepEqual(await read({ reads: { live: [NamedGadget] } }, NamedGadget), live);
    assert.deepEqual(await read({ reads: { live: [ConfigMap] } }, Gadget), cached);
    const record = new AccessRecord();
    await env.cluster.client.with({ record }).live.get(Gadget, { namespace, name: 'where' });
    assert.deepEqual(record.used, [{ group: 'client.example.com', resource: 'gadgets', verb: 'get' }]);
  });

  test('[CL-04, CL-06] a manager reads declared kinds from its cache, and rejects other kinds with UNDECLARED_KIND', async () => {
    const manager = env.manager({ implicitInformers: false });
    await using started = manager;
    manager.control({ name: 'gadgets', for: Gadget }, async () => Result.done());
    await manager.start();
    for (const reads of [manager.client, manager.client.with({ namespace }), manager.client.with({ dryRun: true })]) {
      await assert.rejects(reads.list(Secret, { namespace }), hasCode('UNDECLARED_KIND'));
      await assert.rejects(reads.get(Secret, { namespace, name: 'a' }), hasCode('UNDECLARED_KIND'));
    }
    const made = await manager.client.create(gadget('declared'));
    assert.deepEqual(await manager.client.get(Gadget, keyOf(made)), await manager.client.get(Gadget, keyOf(made)));
    assert.deepEqual(
      await manager.client.with({ reads: { live: [Secret] } }).list(Secret, { namespace, labels: 'none' }),
      [],
    );
    assert.ok(started);
  });
});

async function firstOf<T extends KubeObject>(events: AsyncIterable<WatchEvent<T>>): Promise<WatchEvent<T>> {
  for await (const event of events) return event;
  throw new Error('the watch ended without an event');
}
async function pageOf<T extends KubeObject>(
  client: Client,
  kind: KindRef<T>,
  options?: Parameters<Client['live']['pages']>[1],
): Promise<Page<T>> {
  for await (const page of client.live.pages(kind, options)) return page;
  throw new Error('the list returned no page');
}
/** Removes managed fields, because the cache also removes managed fields. */
function withoutManagers({ metadata, ...object }: KubeObject): object {
  const { managedFields: _, ...rest } = metadata as KubeObject['metadata'] & { readonly managedFields?: unknown };
  return { ...object, metadata: rest };
}
