import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMap, ReflectorBench } from '../../test-support/reflector-bench.js';

const start = (): Promise<ReflectorBench> => ReflectorBench.start({ streaming: true });

test('[CG-039] replaces the store only when the server reports the end of the initial events', async () => {
  await using bench = await start();
  const stream = await bench.server.next();
  const { timeoutSeconds, ...query } = stream.query;
  assert.deepEqual(query, {
    watch: 'true',
    allowWatchBookmarks: 'true',
    sendInitialEvents: 'true',
    resourceVersionMatch: 'NotOlderThan',
  });
  assert.equal(timeoutSeconds, '300');
  stream.event('ADDED', configMap('a', '5')).event('ADDED', configMap('b', '3')).bookmark('7');
  assert.deepEqual(bench.target.calls, []);
  stream.endInitial('10').event('ADDED', configMap('c', '11'));
  await bench.reported('put c:11 @11');
  assert.deepEqual(bench.target.calls, ['replace a:5 b:3 @10', 'put c:11 @11']);
  assert.equal(bench.server.requests, 1);
});

test('[CG-040] a bookmark whose annotation is not "true" does not end the initial events', async () => {
  await using bench = await start();
  const stream = await bench.server.next();
  stream.event('ADDED', configMap('a', '5')).bookmark('8', { 'k8s.io/initial-events-end': 'false' });
  stream.event('ADDED', configMap('b', '6')).endInitial('10');
  await bench.reported('replace a:5 b:6 @10');
  assert.equal(bench.target.calls.length, 1);
});

for (const [id, code, reason] of [
  ['CG-041', 403, 'Forbidden'],
  ['CG-041', 500, 'InternalError'],
  ['CG-042', 422, 'Invalid'],
] as const) {
  test(`[${id}] lists immediately if the server responds to a streaming list with ${reason}`, async () => {
    await using bench = await start();
    (await bench.server.next()).status(code, reason);
    const list = await bench.server.next();
    assert.deepEqual(list.query, { resourceVersion: '0', limit: '500' });
    list.list('10', [configMap('a', '5')]);
    assert.equal((await bench.server.next()).query.resourceVersion, '10');
    assert.equal(bench.clock.monotonicMs(), 0);
    assert.equal(bench.errors.length, 1);
  });
}

test('[CG-043] a reflector applies changes and deletions among the initial events before replacing the store', async () => {
  await using bench = await start();
  (await bench.server.next())
    .event('ADDED', configMap('a', '5'))
    .event('ADDED', configMap('b', '6'))
    .event('MODIFIED', configMap('a', '7'))
    .event('DELETED', configMap('b', '8'))
    .endInitial('10');
  await bench.reported('replace a:7 @10');
});

test('[CG-044] starts a new streaming list with back-off after status 429', async () => {
  await using bench = await start();
  (await bench.server.next()).event('ADDED', configMap('gone', '5')).errorEvent(429, 'TooManyRequests');
  assert.equal(await bench.passDelay(), 800);
  const again = await bench.server.next();
  assert.equal(again.query.sendInitialEvents, 'true');
  again.event('ADDED', configMap('a', '5')).endInitial('10');
  await bench.reported('replace a:5 @10');
});

test('[CG-045] starts a streaming list from scratch after a stream that ends too early', async () => {
  await using bench = await start();
  (await bench.server.next()).event('ADDED', configMap('gone', '5')).end();
  await bench.passDelay();
  const again = await bench.server.next();
  assert.equal(again.query.sendInitialEvents, 'true');
  assert.equal(again.query.resourceVersion, undefined);
  again.event('ADDED', configMap('a', '5')).endInitial('10');
  await bench.reported('replace a:5 @10');
});

test('uses paged lists after two streaming lists end prematurely', async () => {
  await using bench = await start();
  (await bench.server.next()).event('ADDED', configMap('a', '5')).end();
  await bench.passDelay();
  (await bench.server.next()).event('ADDED', configMap('a', '5')).end();
  const list = await bench.server.next();
  assert.equal(list.query.watch, undefined);
  list.list('10', [configMap('a', '5')]);
  (await bench.server.next()).errorEvent(410, 'Expired');
  await bench.passDelay();
  assert.equal((await bench.server.next()).query.watch, undefined, 'the reflector remembers the failure');
});

test('retries a streaming list whose connection breaks, and then uses a paged list once', async () => {
  await using bench = await start();
  (await bench.server.next()).open().cut();
  assert.equal(await bench.passDelay(), 800);
  const again = await bench.server.next();
  assert.equal(again.query.sendInitialEvents, 'true');
  again.event('ADDED', configMap('a', '5')).cut();
  const list = await bench.server.next();
  assert.equal(list.query.watch, undefined);
  list.list('10', [configMap('a', '5')]);
  (await bench.server.next()).errorEvent(410, 'Expired');
  await bench.passDelay();
  assert.equal((await bench.server.next()).query.sendInitialEvents, 'true', 'streaming lists are not avoided');
  assert.deepEqual(
    bench.logger.lines.filter(({ message }) => message.includes('keep ending prematurely')),
    [],
  );
});

test('uses paged lists after the server ends a streaming list without events, even if a connection broke before', async () => {
  await using bench = await start();
  (await bench.server.next()).open().cut();
  await bench.passDelay();
  (await bench.server.next()).end();
  assert.equal((await bench.server.next()).query.watch, undefined);
  const logged = bench.logger.lines.filter(({ message }) => message.includes('keep ending prematurely'));
  assert.equal(logged.length, 1);
});

test('[CG-046, CG-242] continues with a plain watch from the last version if a stream ends after the initial events', async () => {
  await using bench = await start();
  const first = await bench.server.next();
  assert.equal(first.query.sendInitialEvents, 'true');
  assert.equal(first.query.resourceVersionMatch, 'NotOlderThan');
  first.event('ADDED', configMap('a', '5')).endInitial('10').event('MODIFIED', configMap('a', '12')).end();
  const watch = await bench.server.next();
  assert.equal(watch.query.resourceVersion, '12');
  assert.equal(watch.query.sendInitialEvents, undefined);
  assert.equal(watch.query.resourceVersionMatch, undefined);
});

test('[CG-047] reports an error if the watch that follows a streaming list gets status 410', async () => {
  await using bench = await start();
  (await bench.server.next()).event('ADDED', configMap('a', '5')).endInitial('10').bookmark('11').end();
  (await bench.server.next()).status(410, 'Expired', { message: 'too old' });
  await bench.waiting();
  assert.match(String(bench.reflector.status.lastError), /watch configmaps: too old/);
  await bench.passDelay();
  const stream = await bench.server.next();
  assert.equal(stream.query.sendInitialEvents, 'true');
  assert.equal(stream.query.resourceVersion, '11');
});

test('[CG-048] the reflector has no version during the initial events, and then has the version of the bookmark that ends them', async () => {
  await using bench = await start();
  const stream = (await bench.server.next()).event('ADDED', configMap('a', '50')).event('ADDED', configMap('b', '20'));
  assert.equal(bench.reflector.status.resourceVersion, '');
  stream.endInitial('60');
  await bench.reported('replace a:50 b:20 @60');
  assert.equal(bench.reflector.status.resourceVersion, '60');
});

test('[CG-049] logs a warning every 10 s until the initial events end', async () => {
  await using bench = await start();
  const stream = await bench.server.next();
  stream.event('ADDED', configMap('a', '5'));
  await bench.clock.scheduled(10_000);
  const warnings = (): number =>
    bench.logger.lines.filter((line) => line.message.includes('has not sent the end of the initial events yet')).length;
  bench.clock.advance(9999);
  assert.equal(warnings(), 0);
  bench.clock.advance(10_001);
  assert.equal(warnings(), 2);
  stream.endInitial('10');
  await bench.reported('replace a:5 @10');
  bench.clock.advance(60_000);
  assert.equal(warnings(), 2);
});

test('closes a stream that sends nothing for 30 s, and uses paged lists after the second such stream', async () => {
  await using bench = await start();
  for (const last of [false, true]) {
    (await bench.server.next()).open();
    await bench.clock.scheduled(30_000);
    bench.clock.advance(30_000);
    if (!last) await bench.passDelay();
  }
  assert.equal((await bench.server.next()).query.watch, undefined);
});

test('[CG-050] never uses a streaming list if streaming is disabled', async () => {
  await using bench = await ReflectorBench.start({ streaming: false });
  const list = await bench.server.next();
  assert.equal(list.query.sendInitialEvents, undefined);
  list.list('10', []);
  const watch = await bench.server.next();
  assert.equal(watch.query.sendInitialEvents, undefined);
  watch.errorEvent(410, 'Expired');
  await bench.passDelay();
  assert.equal((await bench.server.next()).query.sendInitialEvents, undefined);
});

test('[CG-021] checksConsistency compares a stream with a list of the same version, and reports an error for a difference', async () => {
  await using bench = await ReflectorBench.start({ streaming: true, checksConsistency: true });
  (await bench.server.next()).event('ADDED', configMap('a', '5')).endInitial('10');
  const compared = await bench.server.next();
  assert.deepEqual(compared.query, { resourceVersion: '10', resourceVersionMatch: 'Exact' });
  compared.list('10', [configMap('a', '5'), configMap('lost', '6')]);
  const fallback = await bench.server.next();
  assert.equal(fallback.query.watch, undefined);
  assert.match(
    String(bench.errors[0]),
    /only in the list: default\/lost \(uid-lost\) at 6; only in the stream: nothing/,
  );
  assert.deepEqual(bench.target.calls, []);
});
