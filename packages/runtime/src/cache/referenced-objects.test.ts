import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { CacheBench } from '../test-support/cache-bench.js';
import { HandlerRecord } from '../test-support/informer-bench.js';
import { configMap } from '../test-support/reflector-bench.js';
import type { Exchange } from '../test-support/scripted-server.js';
import type { CacheOptions } from './selection/cache-options.js';
import type { InformerCache } from './informer-cache.js';
import type { InformerHandle } from './informer/informer-handle.js';

const namespace = 'default';

interface Bench {
  readonly cache: InformerCache;
  readonly informer: InformerHandle<ConfigMap>;
  /** Resolves with the next request for the object with this name, or for the namespace if no name is given. */
  readonly request: (name?: string) => Promise<Exchange>;
  readonly select: (...names: string[]) => void;
  readonly proves: (name: string) => boolean;
  /** Returns the number of requests that the server received. */
  readonly requests: () => number;
}

async function withReferences(options: CacheOptions, run: (bench: Bench) => Promise<void>): Promise<void> {
  await using bench = await CacheBench.start(options);
  const { cache, server } = bench;
  const request = (name?: string): Promise<Exchange> => {
    const fields = name === undefined ? undefined : `metadata.name=${name}`;
    return bench.request(({ query }) => query.fieldSelector === fields);
  };
  const informer = await cache.acquire(ConfigMap, { byKeys: true });
  await run({
    cache,
    informer,
    request,
    requests: () => server.requests,
    select: (...names) => informer.selectKeys(names.map((name) => ({ namespace, name }))),
    proves: (name) => cache.readsOf(ConfigMap)[0]?.provesAbsence({ namespace, name }) ?? false,
  });
}
const namesOf = (objects: readonly KubeObject[]): readonly string[] =>
  objects.map(({ metadata }) => `${metadata.name}:${metadata.resourceVersion}`).toSorted();

test('lists and watches each referenced object by its name and namespace', () =>
  withReferences({}, async ({ informer, request, select, proves }) => {
    assert.equal(informer.hasSynced, false, 'nothing is selected yet');
    select('one', 'two');
    const one = await request('one');
    assert.equal(one.path, '/api/v1/namespaces/default/configmaps');
    one.list('10', [configMap('one', '1')]);
    (await request('two')).list('10', []);
    await informer.synced();
    assert.deepEqual(namesOf(informer.list()), ['one:1']);
    assert.deepEqual(['one', 'two', 'three'].map(proves), [true, true, false]);
    const watched = new Promise<void>((resolve) =>
      informer.addHandler({ onChange: ({ object }) => object.metadata.name === 'two' && resolve() }),
    );
    (await request('two')).event('ADDED', configMap('two', '11'));
    await watched;
    assert.deepEqual(namesOf(informer.list()), ['one:1', 'two:11']);
  }));

test('syncs without a request if nothing is referenced', () =>
  withReferences({}, async ({ informer, select }) => {
    const record = new HandlerRecord();
    informer.addHandler(record);
    select();
    await informer.synced();
    await record.got('synced');
  }));

test('watches the namespace if more objects are referenced than the limit, and stores only the referenced objects', () =>
  withReferences({ maxNamedWatches: 1 }, async ({ cache, informer, request, select, proves }) => {
    const record = new HandlerRecord();
    informer.addHandler(record);
    select('one', 'two');
    (await request()).list(
      '10',
      ['one', 'other', 'third'].map((name) => configMap(name, '1')),
    );
    await informer.synced();
    const [view] = cache.informers();
    assert.equal(view?.size, 1);
    assert.deepEqual(['one', 'two', 'other'].map(proves), [true, true, false]);
    const watch = await request();
    assert.equal(watch.query.resourceVersion, '10');
    watch.event('ADDED', configMap('other', '11'));
    watch.event('MODIFIED', configMap('third', '12'));
    watch.event('DELETED', configMap('third', '13'));
    watch.event('ADDED', configMap('two', '14'));
    await record.got('added two:14');
    assert.deepEqual(record.seen, ['added one:1 initial', 'synced', 'added two:14']);
    assert.equal(view?.size, 2);
  }));

test('an event of an unreferenced object advances the version from which the watch resumes, regardless of the order of its fields', () =>
  withReferences({ maxNamedWatches: 1 }, async ({ informer, request, select }) => {
    select('one', 'two');
    (await request()).list('10', []);
    await informer.synced();
    const watch = await request();
    watch.event('ADDED', configMap('other', '15'));
    watch.end();
    const resumed = await request();
    assert.equal(resumed.query.resourceVersion, '15');
    const { metadata, ...rest } = configMap('other', '16');
    resumed.event('MODIFIED', { ...rest, metadata: { labels: {}, ...metadata } });
    resumed.end();
    assert.equal((await request()).query.resourceVersion, '16');
  }));

test('does not store an unreferenced object, even if its name is found only after the object was parsed', () =>
  withReferences({ maxNamedWatches: 1 }, async ({ cache, informer, request, select }) => {
    select('one', 'two');
    const { metadata, ...rest } = configMap('other', '1');
    (await request()).list('10', [{ ...rest, metadata: { labels: {}, ...metadata } }, configMap('one', '1')]);
    await informer.synced();
    assert.equal(cache.informers()[0]?.size, 1);
  }));

test('lists an object when it is first referenced, and does not report the object as absent before the list ends', () =>
  withReferences({}, async ({ informer, request, select, proves }) => {
    const record = new HandlerRecord();
    informer.addHandler(record);
    select('one');
    (await request('one')).list('10', [configMap('one', '1')]);
    await informer.synced();
    select('one', 'two');
    assert.equal(informer.hasSynced, true, 'the handle remains synced');
    assert.equal(proves('two'), false);
    (await request('two')).list('20', [configMap('two', '15')]);
    await record.got('added two:15');
    assert.equal(proves('two'), true);
  }));

test('removes an object that is no longer referenced, and ends its watch', () =>
  withReferences({}, async ({ informer, request, select, proves }) => {
    const record = new HandlerRecord();
    informer.addHandler(record);
    select('one', 'two');
    (await request('one')).list('10', [configMap('one', '1')]);
    (await request('two')).list('10', [configMap('two', '2')]);
    await record.got('synced');
    const two = await request('two');
    select('one');
    await two.closed;
    assert.deepEqual(namesOf(informer.list()), ['one:1']);
    assert.equal(record.seen.at(-1), 'deleted two:2 stale');
    assert.equal(proves('two'), false);
  }));

test('a watch of the namespace replaces the watches by name, and handlers receive no change for stored objects', () =>
  withReferences({ maxNamedWatches: 2 }, async ({ informer, request, select }) => {
    const record = new HandlerRecord();
    informer.addHandler(record);
    select('one', 'two');
    (await request('one')).list('10', [configMap('one', '1')]);
    (await request('two')).list('10', [configMap('two', '2')]);
    await record.got('synced');
    const watches = [await request('one'), await request('two')];
    select('one', 'two', 'three');
    (await request()).list(
      '20',
      ['one', 'two', 'three', 'four'].map((name, at) => configMap(name, `${at + 1}`)),
    );
    await record.got('added three:3');
    await Promise.all(watches.map(({ closed }) => closed));
    assert.deepEqual(namesOf(informer.list()), ['one:1', 'three:3', 'two:2']);
    assert.equal(
      record.seen.some((each) => each.startsWith('deleted')),
      false,
    );
  }));

test('two declarations share the watch of an object that both reference', () =>
  withReferences({}, async ({ cache, informer, request, requests, select }) => {
    await using other = await cache.acquire(ConfigMap, { byKeys: true });
    select('one');
    (await request('one')).list('10', [configMap('one', '1')]);
    await informer.synced();
    const watch = await request('one');
    other.selectKeys([{ namespace, name: 'one' }]);
    await other.synced();
    assert.deepEqual(namesOf(other.list()), ['one:1']);
    select();
    assert.deepEqual([namesOf(informer.list()), namesOf(other.list())], [[], ['one:1']]);
    assert.equal(requests(), 2, 'a list and a watch');
    other.selectKeys([]);
    await watch.closed;
  }));

test('a declaration of the whole kind replaces the watches by name until it is released', () =>
  withReferences({}, async ({ cache, informer, request, select }) => {
    select('one');
    (await request('one')).list('10', [configMap('one', '1')]);
    await informer.synced();
    const watch = await request('one');
    const whole = await cache.acquire(ConfigMap);
    (await request()).list('20', [configMap('one', '1'), configMap('two', '2')]);
    await whole.synced();
    await watch.closed;
    assert.deepEqual([namesOf(informer.list()), whole.size], [['one:1'], 2]);
    const wholeWatch = await request();
    const disposed = whole[Symbol.asyncDispose]();
    (await request('one')).list('30', [configMap('one', '25')]);
    await disposed;
    await wholeWatch.closed;
    assert.deepEqual(namesOf(informer.list()), ['one:25']);
  }));

test('does not watch objects outside the namespaces of the cache', () =>
  withReferences({ namespaces: ['default'] }, async ({ cache, informer, request }) => {
    informer.selectKeys([
      { namespace, name: 'one' },
      { namespace: 'other', name: 'one' },
    ]);
    (await request('one')).list('10', [configMap('one', '1')]);
    await informer.synced();
    const added = cache.addNamespace('other');
    const other = await request('one');
    if (other.path.includes('/other/')) other.list('10', [configMap('one', '2', { metadata: { namespace: 'other' } })]);
    else (await request('one')).list('10', [configMap('one', '2', { metadata: { namespace: 'other' } })]);
    await added;
    await cache.removeNamespace('default');
    assert.equal(informer.hasSynced, true);
  }));
