import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@kubewright/api/errors';
import { configMap, ReflectorBench } from '../../test-support/reflector-bench.js';

test('[CG-001] lists once, then watches from the version of the list and applies events in order', async () => {
  await using bench = await ReflectorBench.start();
  const list = await bench.server.next();
  assert.equal(list.path, '/api/v1/configmaps');
  list.list('10', [configMap('a', '5')]);
  const watch = await bench.server.next();
  assert.equal(watch.query.watch, 'true');
  assert.equal(watch.query.resourceVersion, '10');
  watch
    .event('ADDED', configMap('b', '11'))
    .event('MODIFIED', configMap('b', '12'))
    .event('DELETED', configMap('a', '13'));
  await bench.reported('remove a:13 @13');
  assert.deepEqual(bench.target.calls, ['replace a:5 @10', 'put b:11 @11', 'put b:12 @12', 'remove a:13 @13']);
  assert.equal(bench.server.requests, 2);
});

test('[CG-002] reports an error for a list or watch that cannot start, and does not change the store', async () => {
  await using bench = await ReflectorBench.start();
  (await bench.server.next()).status(403, 'Forbidden', { message: 'no list for you' });
  await bench.waiting();
  assert.deepEqual(bench.target.calls, []);
  assert.match(String(bench.reflector.status.lastError), /list configmaps: no list for you/);
  await bench.passDelay();
  (await bench.server.next()).list('10', [configMap('a', '5')]);
  (await bench.server.next()).status(403, 'Forbidden', { message: 'no watch for you' });
  await bench.waiting();
  assert.match(String(bench.reflector.status.lastError), /watch configmaps: no watch for you/);
  assert.deepEqual(bench.target.calls, ['replace a:5 @10']);
  assert.equal(bench.reflector.status.synced, true);
});

test('[CG-003] doubles the delay after a refused connection from 0.8 s up to 30 s', async () => {
  await using bench = await ReflectorBench.start();
  (await bench.server.next()).cut();
  const port = bench.server.port;
  const delays = [await bench.passDelayWhileClosed()];
  for (let i = 0; i < 8; i++) delays.push(await bench.passDelay());
  assert.deepEqual(delays, [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000]);
  assert.equal(bench.clock.monotonicMs(), 140_400);
  await bench.waiting();
  assert.equal(bench.server.requests, 1);
  await bench.server.listen(port);
  await bench.passDelay();
  (await bench.server.next()).list('1', []);
  await bench.reported('replace  @1');
});

test('[CG-004] uses the given back-off', async () => {
  const delays = [5, 7, 11];
  await using bench = await ReflectorBench.start({ backOff: { nextMs: () => delays.shift() ?? 1 } });
  for (const expected of [5, 7, 11]) {
    (await bench.server.next()).status(500, 'InternalError');
    assert.equal(await bench.passDelay(), expected);
  }
});

test('[CG-005] requests pages of the given size and follows continue tokens', async () => {
  await using bench = await ReflectorBench.start({ pageSize: 2 });
  const first = await bench.server.next();
  assert.equal(first.query.limit, '2');
  assert.equal(first.query.resourceVersion, '0');
  first.list('10', [configMap('a', '1'), configMap('b', '2')], 'token-1');
  const second = await bench.server.next();
  assert.equal(second.query.limit, '2');
  assert.equal(second.query.continue, 'token-1');
  assert.equal(second.query.resourceVersion, undefined);
  second.list('11', [configMap('c', '3')]);
  await bench.reported('replace a:1 b:2 c:3 @10');
});

/** Responds to a list, ends the watch with status 410, and advances the clock to the next list. */
async function listThenExpire(bench: ReflectorBench, resourceVersion: string): Promise<void> {
  (await bench.server.next()).list(resourceVersion, [configMap('a', '1')]);
  (await bench.server.next()).errorEvent(410, 'Expired');
  await bench.passDelay();
}

test('[CG-006] sends no limit for a list at a given version', async () => {
  await using bench = await ReflectorBench.start();
  await listThenExpire(bench, '10');
  const relist = await bench.server.next();
  assert.equal(relist.query.resourceVersion, '10');
  assert.equal(relist.query.limit, undefined);
});

test('[CG-007] continues to list in pages if the server paginated the first list despite version 0', async () => {
  await using bench = await ReflectorBench.start();
  (await bench.server.next()).list('10', [configMap('a', '1')], 'more');
  await listThenExpire(bench, '10');
  const relist = await bench.server.next();
  assert.equal(relist.query.resourceVersion, '10');
  assert.equal(relist.query.limit, '500');
});

test('[CG-008] the first list accepts any version, and the next list requires at least the last known version', async () => {
  await using bench = await ReflectorBench.start();
  const first = await bench.server.next();
  assert.equal(first.query.resourceVersion, '0');
  assert.equal(first.query.resourceVersionMatch, undefined);
  first.list('10', []);
  (await bench.server.next()).event('ADDED', configMap('a', '15')).errorEvent(410, 'Expired');
  await bench.passDelay();
  assert.equal((await bench.server.next()).query.resourceVersion, '15');
});

test('[CG-009] requests the newest version immediately if the version of a list has expired', async () => {
  await using bench = await ReflectorBench.start();
  await listThenExpire(bench, '10');
  const relist = await bench.server.next();
  assert.equal(relist.query.resourceVersion, '10');
  relist.status(410, 'Expired');
  const newest = await bench.server.next();
  assert.equal(newest.query.resourceVersion, undefined);
  newest.list('20', [configMap('b', '19')]);
  await bench.reported('replace b:19 @20');
});

test('[CG-010] lists everything again in one request at the original version if a page has expired', async () => {
  await using bench = await ReflectorBench.start({ pageSize: 1 });
  (await bench.server.next()).list('10', [configMap('a', '1')], 'more');
  (await bench.server.next()).status(410, 'Expired');
  const whole = await bench.server.next();
  assert.deepEqual(whole.query, { resourceVersion: '0' });
  whole.list('12', [configMap('a', '1'), configMap('b', '2')]);
  await bench.reported('replace a:1 b:2 @12');
  assert.equal(bench.clock.monotonicMs(), 0);
});

const TOO_LARGE = [
  { details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] } },
  { message: 'Timeout: Too large resource version: 99, current: 10' },
  { details: { causes: [{ message: 'Too large resource version' }] } },
];
for (const [i, more] of TOO_LARGE.entries()) {
  test(`[CG-011] requests the newest version immediately if the version is too large (form ${i + 1} of 3)`, async () => {
    await using bench = await ReflectorBench.start();
    await listThenExpire(bench, '99');
    (await bench.server.next()).status(504, 'Timeout', more);
    const newest = await bench.server.next();
    assert.equal(newest.query.resourceVersion, undefined);
    newest.list('10', []);
    await bench.reported('replace  @10');
  });
}

test('[CG-012] the next watch starts at the version of the last event or bookmark', async () => {
  await using bench = await ReflectorBench.start();
  (await bench.server.next()).list('10', []);
  const watch = await bench.server.next();
  const steps = [
    ['ADDED', '11', 'put a:11 @11'],
    ['MODIFIED', '12', 'put a:12 @12'],
    ['DELETED', '13', 'remove a:13 @13'],
    ['BOOKMARK', '14', 'bookmark @14'],
  ] as const;
  for (const [type, version, reported] of steps) {
    watch.event(type, configMap('a', version));
    await bench.reported(reported);
    watch.open();
  }
  watch.end();
  assert.equal((await bench.server.next()).query.resourceVersion, '14');
});

test('[CG-013] reads a large list without loss, regardless of chunk boundaries', async () => {
  await using bench = await ReflectorBench.start();
  const objects = Array.from({ length: 5000 }, (_, i) =>
    configMap(`cm-${i}`, String(i + 1), { data: { text: `"}],[{\\ ${'x'.repeat(i % 400)}` } }),
  );
  (await bench.server.next()).list('9999', objects);
  await bench.until(() => bench.reflector.status.synced);
  assert.deepEqual([...bench.target.objects.values()], objects);
});

test('[CG-014] rejects a Table instead of a list', async () => {
  await using bench = await ReflectorBench.start();
  (await bench.server.next()).json(200, {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '1' },
    rows: [{ cells: [] }],
  });
  await bench.waiting();
  assert.match(String(bench.reflector.status.lastError), /Table/);
  assert.deepEqual(bench.target.calls, []);
});

test('[CG-015] adds the kind to items that lack it, and ignores and logs items of another kind', async () => {
  await using bench = await ReflectorBench.start();
  const { apiVersion: _, kind: __, ...bare } = configMap('a', '1');
  (await bench.server.next()).list('10', [bare, { ...configMap('b', '2'), kind: 'Secret' }]);
  await bench.reported('replace a:1 @10');
  assert.deepEqual(bench.target.objects.get('a'), configMap('a', '1'));
  assert.ok(bench.logger.lines.some((line) => line.message.includes('another kind') && line.fields.kind === 'Secret'));
});

test('[CG-016] the next list removes an object that the server can no longer read', async () => {
  await using bench = await ReflectorBench.start();
  (await bench.server.next()).list('10', [configMap('good', '1'), configMap('corrupt', '2')]);
  (await bench.server.next()).errorEvent(500, 'StoreReadError');
  await bench.passDelay();
  (await bench.server.next()).list('12', [configMap('good', '1')]);
  await bench.reported('replace good:1 @12');
});

test('[CG-017] applies the transform once to each object of lists, streaming lists and watches', async () => {
  for (const streaming of [false, true]) {
    let calls = 0;
    const transform = (object: ReturnType<typeof configMap>) => {
      calls++;
      return { ...object, metadata: { ...object.metadata, labels: { transformed: 'true' } } };
    };
    await using bench = await ReflectorBench.start({ streaming, transform });
    let watch = await bench.server.next();
    if (streaming) watch.event('ADDED', configMap('a', '1')).endInitial('10');
    else {
      watch.list('10', [configMap('a', '1')]);
      watch = await bench.server.next();
    }
    watch.event('ADDED', configMap('b', '11')).event('MODIFIED', configMap('b', '12'));
    await bench.reported('put b:12 @12');
    for (const object of bench.target.objects.values())
      assert.deepEqual(object.metadata.labels, { transformed: 'true' });
    assert.equal(calls, 3);
  }
});

test('[CG-017] removes managedFields from objects of lists and watches', async () => {
  await using bench = await ReflectorBench.start();
  const managed = {
    metadata: { managedFields: [{ manager: 'a"]}', fieldsV1: { 'f:data': {} } }], labels: { a: 'b' } },
    data: { managedFields: 'kept' },
  };
  (await bench.server.next()).list('10', [configMap('a', '1', managed)]);
  (await bench.server.next()).event('ADDED', configMap('b', '11', managed));
  await bench.reported('put b:11 @11');
  for (const object of bench.target.objects.values()) {
    assert.ok(!('managedFields' in object.metadata));
    assert.deepEqual(object.metadata.labels, { a: 'b' });
    assert.deepEqual((object as { data?: unknown }).data, { managedFields: 'kept' });
  }
});

test('rejects a list that ends before it is complete', async () => {
  await using bench = await ReflectorBench.start();
  const list = await bench.server.next();
  list.send('{"kind":"ConfigMapList","apiVersion":"v1","items":[' + JSON.stringify(configMap('a', '1')));
  list.cut();
  await bench.waiting();
  assert.deepEqual(bench.target.calls, []);
  assert.ok(!(bench.reflector.status.lastError instanceof ApiError));
});
