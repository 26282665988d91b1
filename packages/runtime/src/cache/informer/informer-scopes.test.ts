import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { CacheBench } from '../../test-support/cache-bench.js';
import type { ManualClock } from '../../test-support/manual-clock.js';
import type { RecordingLogger } from '../../test-support/recording-logger.js';
import { configMap } from '../../test-support/reflector-bench.js';
import type { Exchange } from '../../test-support/scripted-server.js';
import type { CacheOptions } from '../selection/cache-options.js';
import type { InformerCache } from '../informer-cache.js';
import type { InformerHandle } from './informer-handle.js';

const inNamespace = (namespace: string, name: string, version: string, labels = {}): KubeObject =>
  configMap(name, version, { metadata: { namespace, labels, uid: `uid-${namespace}-${name}` } });

interface Bench {
  readonly cache: InformerCache;
  readonly informer: InformerHandle<ConfigMap>;
  readonly logger: RecordingLogger;
  readonly clock: ManualClock;
  /** Resolves with the next request for the objects of this namespace. '*' means the request for all namespaces without their own watch. */
  readonly request: (about: string) => Promise<Exchange>;
}

async function withInformer(options: CacheOptions, run: (bench: Bench) => Promise<void>): Promise<void> {
  await using bench = await CacheBench.start(options);
  const { cache, logger, clock } = bench;
  const request = (about: string): Promise<Exchange> =>
    bench.request(({ path }) => path.endsWith(about === '*' ? '/v1/configmaps' : `/${about}/configmaps`));
  const informer = await cache.acquire(ConfigMap);
  await run({ cache, informer, logger, clock, request });
}
const keysOf = (informer: InformerHandle<ConfigMap>): readonly string[] =>
  informer
    .list()
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}:${metadata.resourceVersion}`)
    .toSorted();

test("a list for the namespace key '*' does not change the objects of namespaces with their own watch", () =>
  withInformer({ namespaces: ['a', '*'] }, async ({ informer, request }) => {
    const others = await request('*');
    assert.equal(others.query.fieldSelector, 'metadata.namespace!=a');
    (await request('a')).list('10', [inNamespace('a', 'one', '1')]);
    await request('a');
    others.list('10', [inNamespace('b', 'two', '2')]);
    await informer.synced();
    assert.deepEqual(keysOf(informer), ['a/one:1', 'b/two:2']);
  }));

test('reads return an own write until the watch of its namespace has delivered the write, regardless of other watches', () =>
  withInformer({ namespaces: ['a', '*'] }, async ({ cache, informer, request }) => {
    (await request('a')).list('10', [inNamespace('a', 'one', '1')]);
    (await request('*')).list('10', []);
    await informer.synced();
    cache.wrote(inNamespace('a', 'one', '15'));
    assert.equal(informer.hasSeen(inNamespace('a', 'one', '15')), false);
    const others = await request('*');
    const caughtUp = new Promise<void>((resolve) => cache.onProgress(resolve));
    others.event('ADDED', inNamespace('b', 'two', '20'));
    await caughtUp;
    assert.deepEqual(keysOf(informer), ['a/one:15', 'b/two:20']);
    const own = await request('a');
    const seen = cache.seen(inNamespace('a', 'one', '15'));
    own.event('MODIFIED', inNamespace('a', 'one', '17'));
    await seen;
    assert.deepEqual(keysOf(informer), ['a/one:17', 'b/two:20']);
  }));

test('if a restore of the server removes the awaited version of an object, the wait ends with the next list', () =>
  withInformer({ namespaces: ['a'] }, async ({ cache, informer, request, clock }) => {
    (await request('a')).list('10', [inNamespace('a', 'one', '1')]);
    const watch = await request('a');
    watch.bookmark('11');
    const seen = Promise.all(['one', 'lost'].map((name) => cache.seen(inNamespace('a', name, '15'))));
    watch.errorEvent(410, 'Expired');
    await clock.scheduled(800);
    clock.advance(800);
    (await request('a')).list('8', [inNamespace('a', 'one', '1')]);
    await seen;
    assert.deepEqual(keysOf(informer), ['a/one:1']);
    let isOver = false;
    const later = cache.seen(inNamespace('a', 'one', '15')).then(() => (isOver = true));
    const next = await request('a');
    next.event('MODIFIED', inNamespace('a', 'one', '14'));
    await new Promise<void>((resolve) => cache.onProgress(resolve));
    assert.equal(isOver, false, 'a wait that begins after the list waits for the version');
    next.event('MODIFIED', inNamespace('a', 'one', '15'));
    await later;
  }));

test('if the selection of a namespace excludes an own write, reads return neither the write nor the previous state of the object', () =>
  withInformer({ namespaces: { a: { labels: { app: 'web' } }, b: {} } }, async ({ cache, informer, request }) => {
    const web = { app: 'web' };
    (await request('a')).list('10', [inNamespace('a', 'one', '1', web)]);
    (await request('b')).list('10', []);
    await informer.synced();
    cache.wrote(inNamespace('a', 'one', '11', { app: 'other' }));
    cache.wrote(inNamespace('a', 'two', '12', web));
    cache.wrote(inNamespace('b', 'three', '13'));
    cache.wrote(inNamespace('c', 'four', '14'));
    assert.deepEqual(keysOf(informer), ['a/two:12', 'b/three:13']);
    assert.equal(informer.hasSeen(inNamespace('c', 'four', '14')), true);
  }));

test('does not store the remaining events of a received chunk after the namespace is removed', () =>
  withInformer({ namespaces: ['a', 'b'] }, async ({ cache, informer, request }) => {
    (await request('a')).list('10', []);
    (await request('b')).list('10', []);
    await informer.synced();
    const removed = new Promise<void>((resolve) => {
      informer.addHandler({
        onChange: ({ type }) => {
          if (type === 'added') void cache.removeNamespace('a').then(resolve);
        },
      });
    });
    const added = ['one', 'two', 'three'].map((name, at) =>
      JSON.stringify({ type: 'ADDED', object: inNamespace('a', name, `${11 + at}`) }),
    );
    (await request('a')).send(`${added.join('\n')}\n`);
    await removed;
    assert.deepEqual(keysOf(informer), []);
  }));

test('ignores an object if the transform throws or changes the identity of the object, and logs the reason', () => {
  const transform = (object: KubeObject): KubeObject => {
    if (object.metadata.name === 'broken') throw new Error('cannot process the object');
    const { name } = object.metadata;
    return name === 'renamed' ? { ...object, metadata: { ...object.metadata, name: 'other' } } : object;
  };
  return withInformer({ transform }, async ({ informer, logger, request }) => {
    const objects = ['broken', 'fine', 'renamed'].map((name) => inNamespace('a', name, '1'));
    (await request('*')).list('10', objects);
    await informer.synced();
    assert.deepEqual(keysOf(informer), ['a/fine:1']);
    const errors = logger.lines.filter(({ level }) => level === 'error');
    assert.deepEqual(
      errors.map(({ fields }) => fields.object),
      ['broken', 'renamed'],
    );
    assert.match(String(errors[1]?.fields.error), /name, namespace, uid or resourceVersion/);
  });
});

test('a wait for a write rejects when the cache is closed', () =>
  withInformer({}, async ({ cache, informer, request }) => {
    (await request('*')).list('10', []);
    await informer.synced();
    const seen = cache.seen(inNamespace('a', 'one', '15'));
    await cache.close();
    await assert.rejects(seen, { code: 'INFORMER_CLOSED' });
  }));
