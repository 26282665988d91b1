import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dynamicKind, isMetadataOnly, type KindRef, type KubeObject, metadataOnly } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import type { FaultPlan } from '@kubewright/apiserver';
import {
  type Change,
  type Client,
  type Cluster,
  type Informer,
  isExpired,
  type PageOptions,
} from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { selectedServer } from '../server/selected-server.js';
import { connectTo, createConfigMaps, hasCode, namesOf, startTeams } from './cached-cluster.js';
import { Hall, kinds, Rack } from './watched-kinds.js';

/** Reads the changes of an informer one by one. */
class Changes<T extends KubeObject> {
  readonly #changes: AsyncIterator<Change<T>>;
  constructor(informer: Informer<T>) {
    this.#changes = informer.changes()[Symbol.asyncIterator]();
  }
  async next(): Promise<Change<T>> {
    const { value, done } = await this.#changes.next();
    assert.ok(!done);
    return value;
  }
  /** Returns the next change as text. */
  async reported(): Promise<string> {
    const { type, object } = await this.next();
    return `${type} ${object.metadata.namespace ?? '-'}/${object.metadata.name}`;
  }
}

describe('informers of all kinds', () => {
  let env: TestEnvironment;
  let cluster: Cluster;
  /** While true, the embedded server answers lists of ConfigMaps with 410 Gone. */
  let isForgotten = false;
  /** Makes the server reject the existing continue tokens as expired. */
  async function forget(): Promise<void> {
    isForgotten = true;
    if (selectedServer() !== 'control-plane') return;
    await env.controlPlane.compact();
    await env.controlPlane.restartApiServer();
  }
  before(async () => {
    const onRequest: FaultPlan['onRequest'] = ({ verb, resource }) =>
      isForgotten && verb === 'list' && resource === 'configmaps' ? { kind: 'status', code: 410 } : undefined;
    const isEmbedded = selectedServer() === 'embedded';
    env = await startTeams({ kinds, ownControlPlane: true, ...(isEmbedded && { faults: { onRequest } }) });
    cluster = await connectTo(env);
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    await env[Symbol.asyncDispose]();
  });

  const FORMS: readonly (readonly [form: string, ids: string, kind: KindRef])[] = [
    ['a class', 'CG-224, CG-225, CG-226', ConfigMap],
    ['a kind known by name', 'CG-114', dynamicKind('v1', 'ConfigMap')],
    ['metadata', 'CG-115, CG-248', metadataOnly(ConfigMap)],
  ];
  for (const [form, ids, kind] of FORMS) {
    test(`[${ids}] an informer of ${form} reports added, changed, and deleted objects, and stores each change before reporting it`, async () => {
      const name = `reported-${form.replaceAll(' ', '-')}`;
      await using informer = await cluster.cache.informer<KubeObject>(kind, { labels: { suite: name } });
      const changes = new Changes(informer);
      const key = { namespace: 'team-a', name };
      const [made] = await createConfigMaps(env, { [`team-a/${name}`]: { suite: name } });
      assert.ok(made);
      const added = await changes.next();
      assert.deepEqual([added.type, added.object.metadata.uid], ['added', made.metadata.uid]);
      assert.equal(informer.get(key), added.object);
      await env.client.patch(made, (draft) => {
        draft.metadata.annotations = { seen: 'yes' };
      });
      const modified = await changes.next();
      assert.ok(modified.type === 'modified' && modified.old === added.object);
      assert.deepEqual(informer.get(key)?.metadata.annotations, { seen: 'yes' });
      await env.client.delete(made);
      const deleted = await changes.next();
      assert.deepEqual([deleted.type, deleted.object.metadata.uid, informer.size], ['deleted', made.metadata.uid, 0]);
      assert.equal(informer.get(key), undefined);
      const isBare = kind !== ConfigMap && form === 'metadata';
      for (const { object } of [added, modified, deleted]) {
        assert.equal('data' in object, !isBare);
        assert.equal(isMetadataOnly(object), isBare);
      }
    });

    test(`[${ids}] an informer of ${form} reports only changes of objects in its namespace that match its selectors`, async () => {
      const name = `narrowed-${form.replaceAll(' ', '-')}`;
      const labels = { suite: name };
      await using informer = await cluster.cache.informer<KubeObject>(kind, {
        namespace: 'team-b',
        labels,
        fields: `metadata.name!=${name}-not`,
      });
      const changes = new Changes(informer);
      await createConfigMaps(env, { [`team-a/${name}`]: labels });
      await createConfigMaps(env, { [`team-b/${name}-not`]: labels });
      await createConfigMaps(env, { [`team-b/${name}-other`]: {} });
      const [made] = await createConfigMaps(env, { [`team-b/${name}`]: labels });
      assert.ok(made);
      assert.equal(await changes.reported(), `added team-b/${name}`);
      await env.client.patch(made, ({ metadata }) => {
        metadata.labels = {};
      });
      assert.equal(await changes.reported(), `deleted team-b/${name}`);
      assert.equal(informer.size, 0);
    });
  }

  test('[CG-229] a key with a namespace finds a cluster-scoped object; a key without a namespace never finds a namespaced object', async () => {
    await env.client.create(new Hall({ metadata: { name: 'north' }, spec: { city: 'Riga' } }));
    await env.client.create(new Rack({ metadata: { name: 'north', namespace: 'team-a' }, spec: {} }));
    await using halls = await cluster.cache.informer(Hall);
    await using racks = await cluster.cache.informer(Rack);
    for (const client of [cluster.client, cluster.client.live]) {
      assert.equal((await client.get(Hall, { name: 'north', namespace: 'team-a' })).spec.city, 'Riga');
      assert.equal((await client.get(Hall, { name: 'north' })).spec.city, 'Riga');
    }
    assert.equal(halls.get({ name: 'north', namespace: 'team-a' }), halls.get({ name: 'north' }));
    assert.equal(halls.size, 1);
    assert.equal(racks.get({ name: 'north' }), undefined);
    assert.equal(racks.get({ name: 'north', namespace: 'team-a' })?.metadata.namespace, 'team-a');
    await assert.rejects(cluster.client.get(Rack, { name: 'north' }));
  });

  test('[CG-230] an informer finds objects by their content, by a filter, and by a label selector', async () => {
    const suite = 'found';
    await createConfigMaps(env, {
      'team-a/web-1': { suite, app: 'web' },
      'team-a/web-2': { suite, app: 'web', old: 'yes' },
      'team-b/db-1': { suite, app: 'db' },
    });
    await using informer = await cluster.cache.informer(ConfigMap, { labels: { suite } });
    assert.equal(informer.list().find(({ data }) => data?.of === 'db-1')?.metadata.namespace, 'team-b');
    assert.equal(
      informer.list().find(({ data }) => data?.of === 'none'),
      undefined,
    );
    assert.deepEqual(namesOf(informer.list().filter(({ metadata }) => metadata.name.endsWith('-1'))), [
      'db-1',
      'web-1',
    ]);
    const by = (labels: string): readonly string[] => namesOf(informer.list({ labels }));
    assert.deepEqual(by('app=web'), ['web-1', 'web-2']);
    assert.deepEqual(by('app=web,!old'), ['web-1']);
    assert.deepEqual(by('app notin (web)'), ['db-1']);
    assert.deepEqual(by('app in (cache)'), []);
  });

  test('[CG-116] a client discovers a kind once, on first use, and tries again after a failure', async () => {
    const looks: string[] = [];
    const counted = await connectTo(env, {
      observers: [{ request: ({ path }) => void (path.endsWith('/apis/watch.example.com/v1') && looks.push(path)) }],
    });
    try {
      const named = dynamicKind('watch.example.com/v1', 'Rack');
      assert.deepEqual(looks, [], 'a connection sends no discovery requests by itself');
      const missing = dynamicKind('watch.example.com/v1', 'Shelf');
      await assert.rejects(counted.client.live.list(missing), hasCode('KIND_NOT_SERVED'));
      const failed = looks.length;
      await assert.rejects(counted.client.live.list(missing), hasCode('KIND_NOT_SERVED'));
      assert.ok(looks.length > failed, 'a failure is not cached');
      const before = looks.length;
      const reads = Array.from({ length: 5 }, () => counted.client.live.list(named));
      await Promise.all(reads);
      await counted.client.live.list(named);
      assert.ok(looks.length <= before + 1, `${looks.length - before} discovery requests`);
    } finally {
      await counted[Symbol.asyncDispose]();
    }
  });

  test('[CG-243] no page of a list exceeds the limit, and all pages together contain the whole list', async () => {
    const labels = { suite: 'paged' };
    await createConfigMaps(env, Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`team-c/p${at}`, labels])));
    const options = { namespace: 'team-c', labels, limit: 2 };
    const pages: (readonly string[])[] = [];
    for await (const { items } of cluster.client.live.pages(ConfigMap, options)) pages.push(namesOf(items));
    assert.deepEqual(pages, [['p1', 'p2'], ['p3', 'p4'], ['p5']]);
    assert.equal((await cluster.client.live.list(ConfigMap, { ...options, limit: 3 })).length, 3);
  });

  test('[CG-244] an expired continue token is reported as expired, and a new list is complete', async () => {
    const labels = { suite: 'expiring' };
    await createConfigMaps(env, Object.fromEntries([1, 2, 3].map((at) => [`team-c/e${at}`, labels])));
    const options = { namespace: 'team-c', labels, limit: 1 };
    const first = await pageOf(cluster.client, options);
    assert.ok(first.continue);
    await createConfigMaps(env, { 'team-c/e4': labels });
    await forget();
    await assert.rejects(pageOf(cluster.client, { ...options, continue: first.continue }), isExpired);
    isForgotten = false;
    const whole = namesOf(await cluster.client.live.list(ConfigMap, { namespace: 'team-c', labels }));
    assert.deepEqual(whole, ['e1', 'e2', 'e3', 'e4']);
  });

  test('[CG-246] a client lists at an exact resourceVersion or at a newer one, and rejects an exact match without a resourceVersion', async () => {
    const labels = { suite: 'versions' };
    await createConfigMaps(env, { 'team-c/v1': labels });
    const options = { namespace: 'team-c', labels };
    const { resourceVersion } = await pageOf(cluster.client, options);
    await createConfigMaps(env, { 'team-c/v2': labels });
    const namesAt = async (more: PageOptions<ConfigMap>): Promise<readonly string[]> =>
      namesOf((await pageOf(cluster.client, { ...options, ...more })).items);
    assert.deepEqual(await namesAt({ resourceVersion, versionMatch: 'exact' }), ['v1']);
    assert.ok((await namesAt({ resourceVersion })).includes('v1'));
    assert.ok((await namesAt({ resourceVersion: '0' })).length <= 2);
    await assert.rejects(namesAt({ versionMatch: 'exact' }), hasCode('INVALID_OPTION'));
  });
});

async function pageOf(client: Client, options: PageOptions<ConfigMap>) {
  for await (const page of client.live.pages(ConfigMap, options)) return page;
  throw new Error('the list returned no page');
}
