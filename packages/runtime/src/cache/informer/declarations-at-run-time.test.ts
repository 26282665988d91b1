import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KubeObject, metadataOnly } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { CacheBench } from '../../test-support/cache-bench.js';
import { HandlerRecord } from '../../test-support/informer-bench.js';
import { configMap } from '../../test-support/reflector-bench.js';
import type { Exchange, ScriptedServer } from '../../test-support/scripted-server.js';
import type { InformerHandle } from './informer-handle.js';

const WEB = { labels: { app: 'web' } };
const DB = { labels: { app: 'db' } };

const labeled = (name: string, version: string, app: string): KubeObject =>
  configMap(name, version, { metadata: { labels: { app } } });

async function withCache(run: (bench: CacheBench) => Promise<void>): Promise<void> {
  await using bench = await CacheBench.start();
  await run(bench);
  assert.equal(bench.server.unconsumed, 0, 'no further request');
}

/** Responds to the list of the scope with this label selector, and returns the watch that follows. */
async function opened(
  server: ScriptedServer,
  selector: string | undefined,
  { version = '10', objects = [] }: { readonly version?: string; readonly objects?: readonly KubeObject[] },
): Promise<Exchange> {
  const list = await server.next();
  assert.deepEqual([list.query.labelSelector, list.query.watch], [selector, undefined]);
  list.list(version, objects);
  const watch = (await server.next()).open();
  assert.deepEqual([watch.query.labelSelector, watch.query.watch], [selector, 'true']);
  return watch;
}

async function recorded(informer: InformerHandle<ConfigMap>): Promise<HandlerRecord> {
  const record = new HandlerRecord();
  informer.addHandler(record);
  await record.got('synced');
  return record;
}

test('shares one watch between declarations that select two values of a label, and each declaration receives only the events of its objects', () =>
  withCache(async ({ cache, server }) => {
    cache.expect([
      { kind: ConfigMap, ...WEB },
      { kind: ConfigMap, ...DB },
    ]);
    const web = await cache.acquire(ConfigMap, WEB);
    const db = await cache.acquire(ConfigMap, DB);
    const objects = [labeled('one', '1', 'web'), labeled('two', '2', 'db')];
    const watch = await opened(server, 'app in (db,web)', { objects });
    const [ofWeb, ofDb] = await Promise.all([recorded(web), recorded(db)]);
    watch.event('MODIFIED', labeled('one', '11', 'db'));
    await ofDb.got('added one:11');
    assert.deepEqual(ofWeb.seen, ['added one:1 initial', 'synced', 'deleted one:1']);
    assert.deepEqual(ofDb.seen, ['added two:2 initial', 'synced', 'added one:11']);
    watch.event('DELETED', labeled('one', '12', 'db'));
    await ofDb.got('deleted one:12');
    assert.deepEqual([web.size, db.size, ofWeb.seen.length], [0, 1, 3]);
    assert.equal(server.requests, 2);
  }));

test('opens a second watch for a declaration that is added later, without listing an object twice', () =>
  withCache(async ({ cache, server }) => {
    const web = await cache.acquire(ConfigMap, WEB);
    const first = await opened(server, 'app=web', { objects: [labeled('one', '1', 'web')] });
    const ofWeb = await recorded(web);
    const db = await cache.acquire(ConfigMap, DB);
    const second = await opened(server, 'app=db', { version: '11', objects: [labeled('two', '2', 'db')] });
    const ofDb = await recorded(db);
    assert.deepEqual(ofDb.seen, ['added two:2 initial', 'synced']);
    second.event('ADDED', labeled('one', '12', 'db'));
    await ofDb.got('added one:12');
    first.event('DELETED', labeled('one', '12', 'web'));
    await ofWeb.got('deleted one:1');
    assert.deepEqual(ofWeb.seen, ['added one:1 initial', 'synced', 'deleted one:1']);
    assert.deepEqual(ofDb.seen, ['added two:2 initial', 'synced', 'added one:12']);
    assert.deepEqual(
      cache.informers().map(({ size }) => size),
      [2],
    );
    await db[Symbol.asyncDispose]();
    await second.closed;
    assert.equal(server.requests, 4);
  }));

test('a wider declaration that is added later replaces the watch, and the first declaration receives no event twice', () =>
  withCache(async ({ cache, server }) => {
    const web = await cache.acquire(ConfigMap, WEB);
    const narrow = await opened(server, 'app=web', { objects: [labeled('one', '1', 'web')] });
    const ofWeb = await recorded(web);
    const all = await cache.acquire(ConfigMap);
    const objects = [labeled('one', '1', 'web'), labeled('two', '2', 'db')];
    const wide = await opened(server, undefined, { version: '11', objects });
    const ofAll = await recorded(all);
    await narrow.closed;
    assert.deepEqual(ofAll.seen.toSorted(), ['added one:1 initial', 'added two:2 initial', 'synced']);
    wide.event('MODIFIED', labeled('two', '12', 'web'));
    await ofWeb.got('added two:12');
    assert.deepEqual(ofWeb.seen, ['added one:1 initial', 'synced', 'added two:12']);
    assert.deepEqual([web.size, all.size, cache.informers().length], [2, 2, 1]);
    assert.equal(server.requests, 4);
  }));

test('releasing the widest declaration replaces the watch and removes the objects that no other declaration selects', () =>
  withCache(async ({ cache, server }) => {
    const all = await cache.acquire(ConfigMap);
    const objects = [labeled('one', '1', 'web'), labeled('two', '2', 'db')];
    const wide = await opened(server, undefined, { objects });
    const ofAll = await recorded(all);
    const web = await cache.acquire(ConfigMap, WEB);
    const ofWeb = await recorded(web);
    assert.equal(server.requests, 2, 'the scope is already covered');
    const released = all[Symbol.asyncDispose]();
    const narrow = await opened(server, 'app=web', { version: '11', objects: [labeled('one', '1', 'web')] });
    await released;
    narrow.event('MODIFIED', labeled('one', '12', 'web'));
    await ofWeb.got('modified one:12');
    await wide.closed;
    assert.deepEqual(ofWeb.seen, ['added one:1 initial', 'synced', 'modified one:12']);
    assert.deepEqual(ofAll.seen.length, 3, 'a disposed handle receives no more changes');
    assert.deepEqual(
      cache.informers().map(({ size }) => size),
      [1],
    );
    await web[Symbol.asyncDispose]();
    await narrow.closed;
    assert.equal(cache.informers().length, 0);
    assert.equal(server.requests, 4);
  }));

test('a second watch lists at the version that the first watch has delivered, so that a deleted object does not reappear', () =>
  withCache(async ({ cache, server }) => {
    const web = await cache.acquire(ConfigMap, WEB);
    const first = await opened(server, 'app=web', { objects: [labeled('one', '1', 'web')] });
    const ofWeb = await recorded(web);
    first.event('DELETED', labeled('one', '20', 'web'));
    await ofWeb.got('deleted one:20');
    await cache.acquire(ConfigMap);
    const list = await server.next();
    assert.deepEqual([list.query.resourceVersion, list.query.resourceVersionMatch], ['20', undefined]);
    list.list('20', []);
    await server.next();
  }));

test('lists the metadata of a kind at the version that the store of whole objects has delivered', () =>
  withCache(async ({ cache, server }) => {
    const web = await cache.acquire(ConfigMap, WEB);
    await opened(server, 'app=web', { version: '20' });
    await web.synced();
    await cache.acquire(metadataOnly(ConfigMap));
    const list = await server.next();
    assert.equal(list.query.resourceVersion, '20');
    list.list('20', []);
    await server.next();
  }));
