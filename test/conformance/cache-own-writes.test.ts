import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dynamicKind, type KubeObject, metadataOnly, mutable } from '@kubewright/api';
import { ConfigMap, Pod } from '@kubewright/api/core/v1';
import {
  isAlreadyExists,
  isConflict,
  isInvalid,
  isNotFound,
  cacheOf,
  type Client,
  type Cluster,
} from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { connectTo, hasCode, namesOf, startTeams } from './cached-cluster.js';

interface Data extends KubeObject {
  readonly data?: Readonly<Record<string, string>> | undefined;
}
const NamedConfigMap = dynamicKind<Data>('v1', 'ConfigMap');
const NAMESPACE = 'team-a';

describe('own writes', () => {
  let env: TestEnvironment;
  let cluster: Cluster;
  let client: Client;
  /** While true, the watch delivers no event, so a read cannot return a state that came from an event. */
  let isHeld = false;

  before(async () => {
    env = await startTeams({
      faults: {
        onWatchEvent: ({ resource }) =>
          isHeld && resource === 'configmaps' ? { kind: 'cut', midEvent: false } : undefined,
      },
    });
    cluster = await connectTo(env, { cache: { namespaces: [NAMESPACE] } });
    ({ client } = cluster);
    await client.list(ConfigMap);
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    await env[Symbol.asyncDispose]();
  });

  /** Runs `work` while the watch delivers no events. */
  async function withoutWatch(work: () => Promise<void>): Promise<void> {
    isHeld = true;
    try {
      await work();
    } finally {
      isHeld = false;
    }
  }
  const own = (object: KubeObject): Promise<readonly string[]> =>
    client.list(ConfigMap, { namespace: NAMESPACE, labels: { of: object.metadata.name } }).then(namesOf);
  const versions = async (object: KubeObject): Promise<readonly (string | undefined)[]> => {
    const { name } = object.metadata;
    const listed = await client.list(ConfigMap, { namespace: NAMESPACE, labels: { of: name } });
    const found = await client.find(ConfigMap, { namespace: NAMESPACE, name });
    const bare = await client.find(metadataOnly(ConfigMap), { namespace: NAMESPACE, name });
    const byName = await client.find(NamedConfigMap, { namespace: NAMESPACE, name });
    return [found, bare, byName, ...listed].map((each) => each?.metadata.resourceVersion);
  };
  const make = (name: string, more: { readonly finalizers?: readonly string[] } = {}): ConfigMap =>
    new ConfigMap({ metadata: { name, namespace: NAMESPACE, labels: { of: name }, ...more }, data: { step: '0' } });

  for (const [form, created] of [
    ['a built-in kind', (name: string): Data => make(name)],
    [
      'a kind known by name',
      (name: string): Data => new NamedConfigMap({ metadata: { name, namespace: NAMESPACE, labels: { of: name } } }),
    ],
  ] as const) {
    test(`[RW-01, RW-02, RW-03, RW-04] reads of ${form} immediately return the state after each create, update, patch, apply, and delete of the client`, () =>
      withoutWatch(async () => {
        const name = `all-${form.replaceAll(' ', '-')}`;
        const all = (version: string): readonly string[] => [version, version, version, version];
        const made = await client.create(created(name));
        assert.deepEqual(await versions(made), all(made.metadata.resourceVersion));
        const next = mutable(made);
        next.metadata.labels.step = '1';
        const updated = await client.update(next);
        assert.notEqual(updated.metadata.resourceVersion, made.metadata.resourceVersion);
        assert.deepEqual(await versions(made), all(updated.metadata.resourceVersion));
        const patched = await client.patch(updated, (draft) => {
          draft.metadata.labels.step = '2';
        });
        assert.deepEqual(await versions(made), all(patched.metadata.resourceVersion));
        const applied = await client.apply({ ...created(name), data: { applied: 'yes' } }, { force: true });
        assert.deepEqual((await client.get(NamedConfigMap, made.metadata)).data?.applied, 'yes');
        assert.deepEqual(await versions(made), all(applied.metadata.resourceVersion));
        await client.delete(applied);
        await assert.rejects(client.get(ConfigMap, made.metadata), isNotFound);
        assert.deepEqual(await versions(made), [undefined, undefined, undefined]);
        assert.deepEqual(await own(made), []);
      }));
  }

  test('[RW-05] a read of a deleted object that waits for its finalizer returns the deletion timestamp', () =>
    withoutWatch(async () => {
      const made = await client.create(make('finalized', { finalizers: ['example.com/wait'] }));
      await client.delete(made);
      const read = await client.get(ConfigMap, made.metadata);
      assert.notEqual(read.metadata.deletionTimestamp, undefined);
      assert.deepEqual(await own(made), ['finalized']);
      await client.patch(read, (draft) => {
        draft.metadata.finalizers = [];
      });
      assert.equal(await client.live.find(ConfigMap, made.metadata), undefined);
    }));

  test('[RW-06] a failed write does not change later reads', () =>
    withoutWatch(async () => {
      const made = await client.create(make('failing'));
      await assert.rejects(client.create(make('failing')), isAlreadyExists);
      await assert.rejects(client.create(make('In Valid')), isInvalid);
      const newer = await client.patch(made, (draft) => {
        draft.metadata.labels.step = '1';
      });
      await assert.rejects(client.update(made), isConflict);
      await assert.rejects(client.delete(made, { sameVersion: true }), isConflict);
      assert.deepEqual(new Set(await versions(made)), new Set([newer.metadata.resourceVersion]));
      assert.equal(await client.find(ConfigMap, { namespace: NAMESPACE, name: 'In Valid' }), undefined);
      await client.delete(newer);
    }));

  test('[RW-07] the cache does not store the response of a subresource as an object if the response has no resourceVersion', async () => {
    const spec = { containers: [{ name: 'main', image: 'example.com/main' }], automountServiceAccountToken: false };
    const pod = await env.client.create(new Pod({ metadata: { name: 'evicted', namespace: NAMESPACE }, spec }));
    await using other = await connectTo(env, { cache: { kinds: [cacheOf(Pod)] } });
    await other.client.get(Pod, pod.metadata);
    await other.client.subresource(pod, 'eviction').create({});
    const now = await other.client.find(Pod, pod.metadata);
    assert.ok(now === undefined || now.kind === 'Pod');
  });

  test('[RW-08] a read with ownWrites: false immediately returns the state that the watch delivered', async () => {
    const watched = { ownWrites: false };
    await withoutWatch(async () => {
      const made = await client.create(make('opted-out'));
      assert.equal(await client.find(ConfigMap, made.metadata, watched), undefined);
      await assert.rejects(client.get(ConfigMap, made.metadata, watched), isNotFound);
      assert.deepEqual(await client.list(ConfigMap, { labels: { of: 'opted-out' }, ...watched }), []);
      assert.deepEqual(await own(made), ['opted-out']);
    });
    const made = await client.get(ConfigMap, { namespace: NAMESPACE, name: 'opted-out' });
    await cluster.cache.seen(made);
    assert.equal((await client.get(ConfigMap, made.metadata, watched)).metadata.uid, made.metadata.uid);
    await withoutWatch(async () => {
      await client.delete(made);
      assert.equal((await client.get(ConfigMap, made.metadata, watched)).metadata.uid, made.metadata.uid);
    });
  });

  test('cache.seen waits until the watch has delivered a write or a deletion', async () => {
    const { cache } = cluster;
    const made = await client.create(make('seen'));
    const later = await client.patch(made, (draft) => {
      draft.metadata.labels.step = '1';
    });
    await Promise.all([cache.seen(made), cache.seen(later)]);
    const watched = { ownWrites: false };
    assert.equal(
      (await client.get(ConfigMap, made.metadata, watched)).metadata.resourceVersion,
      later.metadata.resourceVersion,
    );
    await client.delete(later);
    await cache.seen(later);
    assert.equal(await client.find(ConfigMap, made.metadata, watched), undefined);
    await cache.seen(later);
    await cache.seen(new ConfigMap({ metadata: { ...later.metadata, namespace: 'team-b' } }));
    await cache.seen(new Pod({ metadata: later.metadata, spec: { containers: [] } }));
  });

  test('cache.seen rejects after its timeout and when its signal is aborted', () =>
    withoutWatch(async () => {
      const made = await client.create(make('unseen'));
      const { cache } = cluster;
      await assert.rejects(
        cache.seen(made, { timeout: '20ms' }),
        hasCode('NOT_OBSERVED', /ConfigMap.*team-a\/unseen.*20ms/),
      );
      const reason = new Error('no longer wanted');
      await assert.rejects(cache.seen(made, { signal: AbortSignal.abort(reason) }), reason);
      const controller = new AbortController();
      const waiting = cache.seen(made, { signal: controller.signal });
      controller.abort(reason);
      await assert.rejects(waiting, reason);
    }));
});
