import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { KubeObject } from '@kubewright/api';
import { configMap, ReflectorBench } from '../../test-support/reflector-bench.js';
import type { Exchange } from '../../test-support/scripted-server.js';
import { DetectedRestores } from './found-restores.js';

const CHECK_MS = 10_000;
const exactly = (name: string, resourceVersion: string): object => ({
  fieldSelector: `metadata.name=${name}`,
  resourceVersion,
  resourceVersionMatch: 'Exact',
});

/** Responds with a list of metadata. */
function metadataOf(exchange: Exchange, resourceVersion: string, objects: readonly KubeObject[]): void {
  const items = objects.map(({ metadata }) => ({
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
  }));
  const list = {
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion },
    items,
  };
  exchange.json(200, list);
}

/** Returns a reflector that has streamed `a:90` and `b:95`, up to version 101. */
async function streamed(
  restores?: DetectedRestores,
): Promise<{ readonly bench: ReflectorBench; readonly watch: Exchange }> {
  const bench = await ReflectorBench.start({ streaming: true, restores });
  const watch = await bench.server.next();
  watch.event('ADDED', configMap('b', '95')).event('ADDED', configMap('a', '90')).endInitial('100').bookmark('101');
  await bench.reported('bookmark @101');
  return { bench, watch };
}

/** Breaks the connection of the watch, and resumes the watch. Resolves with the check that follows. */
async function resumed(bench: ReflectorBench, watch: Exchange, from = '101'): Promise<Exchange> {
  watch.cut();
  await resume(bench, from);
  return check(bench);
}
async function resume(bench: ReflectorBench, from: string): Promise<Exchange> {
  const next = await bench.server.next();
  assert.deepEqual([next.query.watch, next.query.resourceVersion], ['true', from]);
  return next.open();
}
async function check(bench: ReflectorBench, delayMs = CHECK_MS): Promise<Exchange> {
  await bench.clock.scheduled(delayMs);
  bench.clock.advance(delayMs);
  return bench.server.next();
}

/** Expects a new list of the newest state, and responds to it. Resolves with the versions of the logged warnings. */
async function relist(bench: ReflectorBench, version: string, object: KubeObject): Promise<readonly unknown[]> {
  const list = await bench.server.next();
  assert.deepEqual([list.query.sendInitialEvents, list.query.resourceVersion], ['true', undefined]);
  list.event('ADDED', object).endInitial(version);
  await bench.reported(`replace ${object.metadata.name}:${object.metadata.resourceVersion} @${version}`);
  return bench.logger.lines
    .filter(({ level, message }) => level === 'warn' && message.includes('returned to an earlier state'))
    .map(({ fields }) => [fields['before'], fields['now']]);
}

/** Expects that the watch continues and that no further request follows. */
async function continues(bench: ReflectorBench, answered: Exchange): Promise<void> {
  await answered.closed;
  bench.clock.advance(200_000);
  assert.equal(bench.reflector.status.state.name, 'watching');
  assert.equal(bench.reflector.status.lists, 1);
  assert.equal(bench.server.unconsumed, 0);
}

/** Responds to a check with a changed state of the object. Resolves with the request for the known version. */
async function changed(bench: ReflectorBench, first: Exchange, object: KubeObject): Promise<Exchange> {
  metadataOf(first, '150', [object]);
  return bench.server.next();
}
const changedB = configMap('b', '140');

const restoredNow: readonly (readonly [title: string, answer: (check: Exchange) => void])[] = [
  ['has an older version than the watch', (check) => metadataOf(check, '60', [])],
  ['has an older state of the last changed object', (check) => metadataOf(check, '150', [configMap('b', '80')])],
];

for (const [title, answer] of restoredNow) {
  test(`lists again if the server of a resumed watch ${title}`, async () => {
    const { bench, watch } = await streamed();
    await using _ = bench;
    const first = await resumed(bench, watch);
    assert.equal(first.path, '/api/v1/namespaces/default/configmaps');
    assert.deepEqual(first.query, { fieldSelector: 'metadata.name=b' });
    answer(first);
    assert.deepEqual(await relist(bench, '61', configMap('c', '51')), [['101', '61']]);
    assert.deepEqual(bench.target.setBacks, [false, true]);
  });
}

const restored: readonly (readonly [title: string, answer: (check: Exchange) => void])[] = [
  ['had an older state of the last changed object', (check) => metadataOf(check, '101', [configMap('b', '80')])],
  ['did not have the last changed object', (check) => metadataOf(check, '101', [])],
  [
    'had another object of the same name',
    (check) => metadataOf(check, '101', [configMap('b', '97', { metadata: { uid: 'other' } })]),
  ],
];

for (const [title, answer] of restored) {
  test(`lists again if the server of a resumed watch ${title} at the known version`, async () => {
    const { bench, watch } = await streamed();
    await using _ = bench;
    const exact = await changed(bench, await resumed(bench, watch), changedB);
    assert.equal(exact.path, '/api/v1/namespaces/default/configmaps');
    assert.deepEqual(exact.query, exactly('b', '101'));
    answer(exact);
    assert.deepEqual(await relist(bench, '160', configMap('c', '105')), [['101', '160']]);
    assert.deepEqual(bench.target.setBacks, [false, true]);
  });
}

const unknown: readonly (readonly [title: string, answer: (check: Exchange) => void])[] = [
  ['does not have the history', (check) => check.status(410, 'Expired')],
  ['had a change that the watch did not deliver', (check) => metadataOf(check, '101', [configMap('b', '99')])],
];

for (const [title, answer] of unknown) {
  test(`lists again, without a report of a restore, if the server ${title}`, async () => {
    const { bench, watch } = await streamed();
    await using _ = bench;
    answer(await changed(bench, await resumed(bench, watch), changedB));
    assert.deepEqual(await relist(bench, '201', configMap('a', '90')), []);
    assert.deepEqual(bench.target.setBacks, [false, false]);
  });
}

test('continues a resumed watch if the last changed object has the same version on the server', async () => {
  const { bench, watch } = await streamed();
  await using _ = bench;
  const first = await resumed(bench, watch);
  metadataOf(first, '150', [configMap('b', '95')]);
  await continues(bench, first);
});

const same: readonly (readonly [title: string, answer: (check: Exchange) => void])[] = [
  ['had the last changed object at the known version', (check) => metadataOf(check, '101', [configMap('b', '95')])],
  ['ignores exact versions', (check) => metadataOf(check, '150', [changedB])],
  ['ignores selectors', (check) => metadataOf(check, '101', [configMap('a', '90')])],
];

for (const [title, answer] of same) {
  test(`continues a resumed watch if the server ${title}`, async () => {
    const { bench, watch } = await streamed();
    await using _ = bench;
    const exact = await changed(bench, await resumed(bench, watch), changedB);
    answer(exact);
    await continues(bench, exact);
  });
}

for (const [title, version] of [
  ['continues a resumed watch if a server without exact versions is not behind the watch', '150'],
  ['lists again if a server without exact versions is behind the watch', '60'],
] as const) {
  test(title, async () => {
    const { bench, watch } = await streamed();
    await using _ = bench;
    const exact = await changed(bench, await resumed(bench, watch), changedB);
    exact.status(400, 'BadRequest');
    const newest = await bench.server.next();
    assert.deepEqual([newest.path, newest.query], ['/api/v1/configmaps', { limit: '1' }]);
    metadataOf(newest, version, []);
    if (version === '150') await continues(bench, newest);
    else assert.deepEqual(await relist(bench, '61', configMap('a', '61')), [['101', '61']]);
  });
}

test('compares the server with the last state before the first reconnect, and not with events of the resumed watches', async () => {
  const { bench, watch } = await streamed();
  await using _ = bench;
  watch.cut();
  const second = await resume(bench, '101');
  second.event('ADDED', configMap('new', '130'));
  await bench.reported('put new:130 @130');
  second.cut();
  await resume(bench, '130');
  const exact = await changed(bench, await check(bench), changedB);
  assert.deepEqual(exact.query, exactly('b', '101'));
  metadataOf(exact, '101', []);
  assert.deepEqual(await relist(bench, '160', configMap('c', '105')), [['130', '160']]);
});

/** Resolves with the check of a watch that was resumed after the deletion of an object. */
async function resumedAfterDeletion(bench: ReflectorBench, watch: Exchange): Promise<Exchange> {
  watch.event('DELETED', configMap('a', '103'));
  await bench.reported('remove a:103 @103');
  const first = await resumed(bench, watch, '103');
  assert.deepEqual(first.query, { fieldSelector: 'metadata.name=a' });
  return first;
}

test('lists again if the server still has an object that the watch reported as deleted', async () => {
  const { bench, watch } = await streamed();
  await using _ = bench;
  metadataOf(await resumedAfterDeletion(bench, watch), '150', [configMap('a', '90')]);
  assert.deepEqual(await relist(bench, '160', configMap('c', '105')), [['103', '160']]);
});

test('lists again if an object that the watch reported as deleted existed at the known version', async () => {
  const { bench, watch } = await streamed();
  await using _ = bench;
  const first = await resumedAfterDeletion(bench, watch);
  metadataOf(first, '150', []);
  const exact = await bench.server.next();
  assert.deepEqual(exact.query, exactly('a', '103'));
  metadataOf(exact, '103', [configMap('a', '90')]);
  assert.deepEqual(await relist(bench, '160', configMap('c', '105')), [['103', '160']]);
});

for (const [title, found] of [
  ['did not exist', []],
  ['no longer matched the selector', [configMap('a', '103')]],
  ['had been created again', [configMap('a', '103', { metadata: { uid: 'other' } })]],
] as const) {
  test(`continues a resumed watch if the object of the last deletion ${title} at the known version`, async () => {
    const { bench, watch } = await streamed();
    await using _ = bench;
    const first = await resumedAfterDeletion(bench, watch);
    metadataOf(first, '150', []);
    const exact = await bench.server.next();
    metadataOf(exact, '103', found);
    await continues(bench, exact);
  });
}

test('checks the newest version after resuming a watch if the cache is empty', async () => {
  await using bench = await ReflectorBench.start({ streaming: true });
  const watch = await bench.server.next();
  watch.endInitial('100').bookmark('101');
  await bench.reported('bookmark @101');
  const first = await resumed(bench, watch);
  assert.deepEqual(first.query, { limit: '1' });
  metadataOf(first, '60', []);
  assert.deepEqual(await relist(bench, '61', configMap('a', '61')), [['101', '61']]);
});

test('checks the first watch after a list that was not streamed', async () => {
  await using bench = await ReflectorBench.start();
  (await bench.server.next()).list('100', [configMap('b', '95'), configMap('a', '90')]);
  await resume(bench, '100');
  const first = await check(bench);
  assert.deepEqual(first.query, { fieldSelector: 'metadata.name=b' });
  metadataOf(first, '100', [configMap('b', '95')]);
  await continues(bench, first);
});

test('lists again if the first watch after a list that was not streamed is on a restored server', async () => {
  await using bench = await ReflectorBench.start();
  (await bench.server.next()).list('100', [configMap('b', '95')]);
  await resume(bench, '100');
  metadataOf(await check(bench), '150', [configMap('b', '80')]);
  const list = await bench.server.next();
  assert.deepEqual([list.query.watch, list.query.resourceVersion], [undefined, undefined]);
});

test('does not list again if the server has too little history for a check after a list that was not streamed', async () => {
  await using bench = await ReflectorBench.start();
  (await bench.server.next()).list('100', [configMap('b', '95')]);
  await resume(bench, '100');
  const exact = await changed(bench, await check(bench), changedB);
  exact.status(410, 'Expired');
  await continues(bench, exact);
});

test('does not check the next watch if the server ended a watch at its timeout', async () => {
  const { bench, watch } = await streamed();
  await using _ = bench;
  bench.clock.advance(299_500);
  watch.end();
  const second = await resume(bench, '101');
  bench.clock.advance(200_000);
  assert.equal(bench.server.unconsumed, 0);
  second.end();
});

test('checks the next watch if the server ended a watch too early', async () => {
  const { bench, watch } = await streamed();
  await using _ = bench;
  bench.clock.advance(200_000);
  watch.end();
  await resume(bench, '101');
  const first = await check(bench);
  metadataOf(first, '101', [configMap('b', '95')]);
  await continues(bench, first);
});

test('repeats a failed check with increasing delays', async () => {
  const { bench, watch } = await streamed();
  await using _ = bench;
  (await resumed(bench, watch)).status(429, 'TooManyRequests');
  (await check(bench, 2 * CHECK_MS)).status(429, 'TooManyRequests');
  const third = await check(bench, 4 * CHECK_MS);
  metadataOf(third, '101', [configMap('b', '95')]);
  await continues(bench, third);
});

test('repeats an interrupted check of the history in the next watch', async () => {
  const { bench, watch } = await streamed();
  await using _ = bench;
  watch.cut();
  const second = await resume(bench, '101');
  const interrupted = await check(bench);
  second.cut();
  await interrupted.closed;
  await resume(bench, '101');
  await bench.clock.scheduled(0);
  await setImmediate();
  assert.equal(bench.clock.pendingMs.filter((delayMs) => delayMs === 0).length, 1);
  const repeated = await check(bench, 0);
  metadataOf(repeated, '101', [configMap('b', '95')]);
  await continues(bench, repeated);
});

test('treats the server as restored if a new list contains an older state of the last changed object', async () => {
  const { bench, watch } = await streamed();
  await using _ = bench;
  watch.errorEvent(410, 'Expired');
  await bench.passDelay();
  const list = await bench.server.next();
  assert.equal(list.query.resourceVersion, '101');
  list.event('ADDED', configMap('b', '80')).endInitial('130');
  await bench.reported('replace b:80 @130');
  assert.deepEqual(bench.target.setBacks, [false, true]);
});

test('lists again after a reconnect if another reflector has found a restore', async () => {
  const restores = new DetectedRestores();
  const { bench, watch } = await streamed(restores);
  await using _ = bench;
  restores.report();
  assert.equal(bench.reflector.status.state.name, 'watching');
  watch.cut();
  (await bench.server.next()).open();
  assert.deepEqual(await relist(bench, '130', configMap('c', '105')), [['101', '130']]);
  assert.equal(restores.count, 1, 'only the reflector that found the restore reports it');
});

test('reports a restore to other reflectors, and reflectors that have reconnected list again', async () => {
  const restores = new DetectedRestores();
  const finder = await streamed(restores);
  await using _ = finder.bench;
  const other = await streamed(restores);
  await using __ = other.bench;
  other.watch.cut();
  await resume(other.bench, '101');
  metadataOf(await resumed(finder.bench, finder.watch), '150', [configMap('b', '80')]);
  await relist(finder.bench, '130', configMap('c', '105'));
  await relist(other.bench, '130', configMap('c', '105'));
  assert.equal(restores.count, 1);
});
