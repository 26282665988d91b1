import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KindRef, type KubeObject, metadataOnly } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { CacheBench } from '../../test-support/cache-bench.js';
import type { ManualClock } from '../../test-support/manual-clock.js';
import { configMap } from '../../test-support/reflector-bench.js';
import type { Exchange, ScriptedServer } from '../../test-support/scripted-server.js';
import type { AcquireOptions } from './acquire-options.js';
import type { InformerCache } from '../informer-cache.js';
import type { InformerHandle } from './informer-handle.js';

/** The store of whole objects and the store of metadata of one kind, with their watches. */
interface TwoStores {
  readonly cache: InformerCache;
  readonly server: ScriptedServer;
  readonly clock: ManualClock;
  readonly whole: InformerHandle<KubeObject>;
  readonly wholeWatch: Exchange;
  readonly metadata: InformerHandle<KubeObject>;
  readonly metadataWatch: Exchange;
  /** Resolves when the store of metadata has reached this version. */
  readonly metadataAt: (resourceVersion: string) => Promise<void>;
}

const RELIST_MS = 7;
const TIER_WEB = { tier: 'web' };
const labeled = (version: string, labels: object = TIER_WEB): KubeObject =>
  configMap('one', version, { metadata: { labels } });
const key = { namespace: 'default', name: 'one' };

/** Opens both stores with the same objects at version 10. */
async function withTwoStores(
  of: {
    readonly whole?: AcquireOptions<KubeObject>;
    readonly metadata?: AcquireOptions<KubeObject>;
    readonly objects?: readonly KubeObject[];
  },
  run: (stores: TwoStores) => Promise<void>,
): Promise<void> {
  await using bench = await CacheBench.start({ reflector: { backOff: { nextMs: () => RELIST_MS } } });
  const { cache, clock, server } = bench;
  let check = (): void => undefined;
  const open = async (kind: KindRef, options: AcquireOptions<KubeObject>) => {
    const informer = await cache.acquire<KubeObject>(kind, options);
    (await server.next()).list('10', of.objects ?? []);
    const watch = (await server.next()).open();
    await informer.synced();
    return { informer, watch };
  };
  const whole = await open(ConfigMap, of.whole ?? { labels: TIER_WEB });
  const metadata = await open(metadataOnly(ConfigMap), of.metadata ?? {});
  cache.onProgress(() => check());
  const metadataAt = (resourceVersion: string): Promise<void> =>
    new Promise((resolve) => {
      check = () => {
        if (metadata.informer.resourceVersion === resourceVersion) resolve();
      };
      check();
    });
  await run({
    cache,
    server,
    clock,
    metadataAt,
    whole: whole.informer,
    wholeWatch: whole.watch,
    metadata: metadata.informer,
    metadataWatch: metadata.watch,
  });
}

test('a read does not wait if the other store has not delivered a newer state of the object', () =>
  withTwoStores({ objects: [labeled('5')] }, async ({ whole, metadata }) => {
    assert.equal(whole.caughtUp(key), undefined);
    assert.equal(whole.caughtUp({}), undefined);
    assert.equal(metadata.caughtUp(key), undefined);
  }));

test('a read waits until its store has the same version of the object as the other store', () =>
  withTwoStores({ objects: [labeled('5')] }, async ({ whole, wholeWatch, metadataWatch, metadataAt }) => {
    metadataWatch.event('MODIFIED', labeled('11'));
    await metadataAt('11');
    const [one, namespace, all] = [key, { namespace: 'default' }, {}].map((objects) => whole.caughtUp(objects));
    assert.equal(whole.caughtUp({ namespace: 'default', name: 'other' }), undefined, 'another object');
    assert.equal(whole.caughtUp({ namespace: 'other' }), undefined, 'another namespace');
    wholeWatch.event('MODIFIED', labeled('11'));
    assert.deepEqual(await Promise.all([one, namespace, all]), [true, true, true]);
    assert.equal(whole.get(key)?.metadata.resourceVersion, '11');
    assert.equal(whole.caughtUp(key), undefined);
  }));

test('a read waits for an addition and a deletion that the other store has delivered', () =>
  withTwoStores({}, async ({ whole, wholeWatch, metadataWatch, metadataAt }) => {
    metadataWatch.event('ADDED', labeled('11'));
    await metadataAt('11');
    const added = whole.caughtUp(key);
    wholeWatch.event('ADDED', labeled('11'));
    assert.equal(await added, true);
    metadataWatch.event('DELETED', labeled('12'));
    await metadataAt('12');
    const deleted = whole.caughtUp(key);
    wholeWatch.event('DELETED', labeled('12'));
    assert.equal(await deleted, true);
    assert.equal(whole.get(key), undefined);
  }));

test('waits for a deletion event if a store receives an object that the other store has already reported as deleted', () =>
  withTwoStores({}, async ({ whole, wholeWatch, metadataWatch, metadataAt }) => {
    metadataWatch.event('ADDED', labeled('11')).event('DELETED', labeled('12'));
    await metadataAt('12');
    assert.equal(whole.caughtUp(key), undefined, 'absent, as at version 12');
    const seen = new Promise<void>((resolve) => {
      whole.addHandler({ onChange: () => resolve() });
    });
    wholeWatch.event('ADDED', labeled('11'));
    await seen;
    const older = whole.caughtUp(key);
    assert.notEqual(older, undefined, 'present, as at version 11');
    wholeWatch.event('DELETED', labeled('12'));
    assert.equal(await older, true);
  }));

test('a read of metadata waits for the version that the store of whole objects has delivered', () =>
  withTwoStores({ objects: [labeled('5')] }, async ({ whole, wholeWatch, metadata, metadataWatch }) => {
    const delivered = new Promise<void>((resolve) => {
      whole.addHandler({ onChange: ({ type }) => type === 'modified' && resolve() });
    });
    wholeWatch.event('MODIFIED', labeled('11'));
    await delivered;
    const read = metadata.caughtUp(key);
    metadataWatch.event('MODIFIED', labeled('11'));
    assert.equal(await read, true);
  }));

test('a read does not wait for an object that its store does not select', () =>
  withTwoStores({}, async ({ whole, metadataWatch, metadataAt }) => {
    metadataWatch.event('ADDED', labeled('11', { tier: 'db' }));
    await metadataAt('11');
    assert.equal(whole.caughtUp(key), undefined);
    assert.equal(whole.caughtUp({}), undefined);
  }));

test('reads from the API server if the store may select an object that the other store no longer selects', () =>
  withTwoStores({ metadata: { labels: { tier: 'db' } } }, async ({ whole, wholeWatch, metadataWatch, metadataAt }) => {
    metadataWatch.event('ADDED', labeled('11', { tier: 'db' })).event('DELETED', labeled('12', { tier: 'db' }));
    await metadataAt('12');
    assert.equal(await whole.caughtUp(key), false);
    assert.equal(await whole.caughtUp({}), false);
    const caughtUp = new Promise<void>((resolve) => {
      whole.addHandler({ onChange: () => resolve() });
    });
    wholeWatch.event('ADDED', labeled('12'));
    await caughtUp;
    assert.equal(whole.caughtUp({}), undefined);
  }));

test('reads from the API server if the watch does not deliver the version within 1 s, and later reads do not wait', () =>
  withTwoStores({ objects: [labeled('5')] }, async ({ clock, whole, wholeWatch, metadataWatch, metadataAt }) => {
    metadataWatch.event('MODIFIED', labeled('11'));
    await metadataAt('11');
    const read = whole.caughtUp(key);
    await clock.scheduled(1000);
    clock.advance(1000);
    assert.equal(await read, false);
    assert.equal(await whole.caughtUp(key), false);
    assert.equal(clock.pendingMs.includes(1000), false);
    const seen = new Promise<void>((resolve) => {
      whole.addHandler({ onChange: ({ type }) => type === 'modified' && resolve() });
    });
    wholeWatch.event('MODIFIED', labeled('11'));
    await seen;
    assert.equal(whole.caughtUp(key), undefined);
  }));

test('a read that waits for the watch rejects if its signal is aborted', () =>
  withTwoStores({ objects: [labeled('5')] }, async ({ whole, metadataWatch, metadataAt }) => {
    metadataWatch.event('MODIFIED', labeled('11'));
    await metadataAt('11');
    const ending = new AbortController();
    const read = whole.caughtUp(key, ending);
    ending.abort(new Error('stopped'));
    await assert.rejects(async () => read, /stopped/);
  }));

test('waits for the deletion event of an object that is missing in a new list of the other store', () =>
  withTwoStores(
    { objects: [labeled('5')] },
    async ({ clock, server, whole, wholeWatch, metadataWatch, metadataAt }) => {
      metadataWatch.errorEvent(410, 'Expired');
      await clock.scheduled(RELIST_MS);
      clock.advance(RELIST_MS);
      (await server.next()).list('20', []);
      await metadataAt('20');
      const read = whole.caughtUp(key);
      wholeWatch.event('DELETED', labeled('15'));
      assert.equal(await read, true);
      assert.equal(whole.get(key), undefined);
      assert.equal(whole.caughtUp({}), undefined);
    },
  ));

test('a store that is opened later waits for states that the other store has delivered', () =>
  withTwoStores({ objects: [labeled('5')] }, async ({ cache, server, metadataWatch, metadataAt, whole }) => {
    metadataWatch.event('MODIFIED', labeled('11'));
    await metadataAt('11');
    await whole[Symbol.asyncDispose]();
    const again = await cache.acquire<KubeObject>(ConfigMap, { labels: TIER_WEB });
    (await server.next()).list('10', [labeled('5')]);
    const watch = await server.next();
    await again.synced();
    const read = again.caughtUp(key);
    watch.event('MODIFIED', labeled('11'));
    assert.equal(await read, true);
  }));
