import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@kubewright/api/errors';
import { type BenchOptions, configMap, ReflectorBench } from '../../test-support/reflector-bench.js';
import type { Exchange } from '../../test-support/scripted-server.js';

/** Responds to the list with one object at version 10. Resolves with the first watch. */
async function watching(bench: ReflectorBench): Promise<Exchange> {
  (await bench.server.next()).list('10', [configMap('a', '5')]);
  return bench.server.next();
}
const start = (options?: BenchOptions): Promise<ReflectorBench> => ReflectorBench.start(options);
function stop(bench: ReflectorBench): Promise<void> {
  bench.stop.abort(new DOMException('stopped by the test', 'AbortError'));
  return bench.done;
}

test('[CG-022] a reflector that is stopped before its first watch does not open a watch', async () => {
  await using bench = await start();
  const list = await bench.server.next();
  await stop(bench);
  await list.closed;
  assert.equal(bench.server.requests, 1);
  assert.deepEqual(bench.reflector.status.state, { name: 'stopped' });
});

test('[CG-023] stopping a reflector during a watch ends the watch', async () => {
  await using bench = await start();
  const watch = (await watching(bench)).open();
  await stop(bench);
  await watch.closed;
  assert.deepEqual(bench.reflector.status.state, { name: 'stopped' });
});

test('[CG-024] stopping a reflector before the response to a watch ends the watch and applies no events', async () => {
  await using bench = await start();
  const watch = await watching(bench);
  await stop(bench);
  await watch.closed;
  assert.deepEqual(bench.target.calls, ['replace a:5 @10']);
});

test('[CG-025] stopping a reflector between two events ends the watch', async () => {
  await using bench = await start();
  const watch = (await watching(bench)).event('ADDED', configMap('b', '11'));
  await bench.reported('put b:11 @11');
  await stop(bench);
  await watch.closed;
});

test('[CG-026] reports an error for a watch that ends immediately without events, and watches again with back-off', async () => {
  await using bench = await start();
  (await watching(bench)).end();
  assert.equal(await bench.passDelay(), 800);
  assert.match(String(bench.errors[0]), /ended within 1 s without progress/);
  const again = await bench.server.next();
  assert.equal(again.query.resourceVersion, '10');
  assert.equal(again.query.watch, 'true');
});

test('[CG-027] watches again with back-off if the connection of a watch breaks before an event', async () => {
  await using bench = await start();
  (await watching(bench)).open().cut();
  assert.equal(await bench.passDelay(), 800);
  assert.equal((await bench.server.next()).query.resourceVersion, '10');
});

test('if the connection of a watch breaks immediately, logs a warning only at the second failure in a row', async () => {
  await using bench = await start();
  const reported = (): readonly string[] =>
    bench.logger.lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
  (await watching(bench)).open().cut();
  await bench.passDelay();
  assert.deepEqual(reported(), []);
  for (let i = 0; i < 2; i++) {
    (await bench.server.next()).open().cut();
    await bench.passDelay();
    assert.equal(reported().length, 1);
  }
  assert.match(reported()[0] ?? '', /cannot watch configmaps .*: ended within 1 s without progress/);
});

test('[CG-028] applies additions, changes and deletions, ignores other kinds, and stores the last version', async () => {
  await using bench = await start();
  const watch = await watching(bench);
  watch
    .event('ADDED', configMap('b', '11'))
    .event('MODIFIED', configMap('a', '12'))
    .event('ADDED', { ...configMap('secret', '13'), kind: 'Secret' })
    .event('UNHEARD_OF', configMap('a', '14'))
    .event('ADDED', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { resourceVersion: '15' } })
    .event('DELETED', configMap('b', '32'));
  await bench.reported('remove b:32 @32');
  assert.deepEqual(bench.target.calls.slice(1), ['put b:11 @11', 'put a:12 @12', 'remove b:32 @32']);
  assert.equal(bench.reflector.status.resourceVersion, '32');
  assert.equal(bench.logger.lines.filter((line) => line.message.startsWith('ignored ')).length, 3);
});

test('[CG-029] stopping a reflector reports and logs no error', async () => {
  await using bench = await start();
  (await watching(bench)).event('ADDED', configMap('b', '11'));
  await bench.reported('put b:11 @11');
  await stop(bench);
  assert.deepEqual(bench.errors, []);
  assert.deepEqual(
    bench.logger.lines.filter((line) => line.level !== 'debug'),
    [],
  );
});

test('logs the message of a rejected request, and the error with its stack only at level debug', async () => {
  await using bench = await start();
  (await watching(bench)).status(403, 'Forbidden');
  await bench.passDelay();
  const [reported, ...others] = bench.logger.lines.filter(({ level }) => level !== 'debug');
  assert.equal(others.length, 0);
  assert.match(reported?.message ?? '', /cannot watch .*; bind a role with the rule .*; trying again$/);
  assert.deepEqual(reported?.fields, { source: 'configmaps', code: 'FORBIDDEN' });
  assert.ok(bench.logger.lines.some(({ level, fields }) => level === 'debug' && fields['error'] instanceof ApiError));
});

test('[CG-030] after an ERROR event, closes the watch and lists at the last version', async () => {
  await using bench = await start();
  const watch = (await watching(bench)).event('ADDED', configMap('b', '11')).errorEvent(500, 'InternalError');
  await watch.closed;
  await bench.passDelay();
  const list = await bench.server.next();
  assert.equal(list.query.watch, undefined);
  assert.equal(list.query.resourceVersion, '11');
});

test('[CG-031][CG-032] retries a watch with status 429 with increasing delays, and does not list', async () => {
  await using bench = await start();
  (await watching(bench)).status(429, 'TooManyRequests');
  const delays = [await bench.passDelay()];
  for (let i = 0; i < 4; i++) {
    const watch = await bench.server.next();
    assert.equal(watch.query.watch, 'true');
    assert.equal(watch.query.resourceVersion, '10');
    watch.status(429, 'TooManyRequests');
    delays.push(await bench.passDelay());
  }
  assert.deepEqual(delays, [800, 1600, 3200, 6400, 12_800]);
  assert.equal((await bench.server.next()).query.watch, 'true');
  assert.equal(bench.reflector.status.lists, 1);
});

test('[CG-031] retries a watch after an ERROR event with status 429 and does not list', async () => {
  await using bench = await start();
  (await watching(bench)).errorEvent(429, 'TooManyRequests');
  await bench.passDelay();
  assert.equal((await bench.server.next()).query.watch, 'true');
});

test('[CG-033] retries internal errors only for the configured time', async () => {
  await using bench = await start({ maxInternalErrorMs: 2000 });
  (await watching(bench)).errorEvent(500, 'InternalError');
  await bench.passDelay();
  const second = await bench.server.next();
  assert.equal(second.query.watch, 'true');
  second.errorEvent(500, 'InternalError');
  await bench.passDelay();
  const third = await bench.server.next();
  assert.equal(third.query.watch, 'true');
  third.errorEvent(500, 'InternalError');
  await bench.passDelay();
  assert.equal((await bench.server.next()).query.watch, undefined);
});

test('[CG-034] requests a random timeout from the minimum to twice the minimum, and ignores a minimum that is too short', async () => {
  for (const [minWatchSeconds, random, expected] of [
    [undefined, 0, '300'],
    [undefined, 0.999, '599'],
    [600, 0.5, '900'],
    [10, 0, '300'],
  ] as const) {
    await using bench = await start({ minWatchSeconds, random: () => random });
    assert.equal((await watching(bench)).query.timeoutSeconds, expected);
  }
});

test('[CG-038] a reflector runs until it is stopped, and leaves no watch or timer open', async () => {
  await using bench = await start();
  for (let i = 0; i < 3; i++) {
    const watch = i === 0 ? await watching(bench) : await bench.server.next();
    watch.event('ADDED', configMap(`cm-${i}`, String(20 + i))).end();
  }
  const last = (await bench.server.next()).open();
  await bench.until(() => bench.reflector.status.watches === 4);
  await stop(bench);
  await last.closed;
  assert.deepEqual(bench.clock.pendingMs, []);
});

test('resumes immediately from the last version after a broken connection, without a list', async () => {
  await using bench = await start();
  const watch = (await watching(bench)).event('ADDED', configMap('b', '11'));
  await bench.reported('put b:11 @11');
  watch.send('{"type":"ADD').cut();
  const resumed = await bench.server.next();
  assert.equal(resumed.query.watch, 'true');
  assert.equal(resumed.query.resourceVersion, '11');
  assert.equal(bench.clock.monotonicMs(), 0);
});

test('resumes a watch that ends in the middle of an event', async () => {
  await using bench = await start();
  const watch = (await watching(bench)).event('ADDED', configMap('b', '11'));
  await bench.reported('put b:11 @11');
  watch.send('{"type":"ADD').end();
  const resumed = await bench.server.next();
  assert.deepEqual([resumed.query.watch, resumed.query.resourceVersion], ['true', '11']);
  assert.match(String(bench.reflector.status.lastError), /ended in the middle of an event/);
});

test('[CG-240, CG-241] resumes a watch that receives no bytes, and keeps a watch that receives data', async () => {
  await using bench = await start({ silenceMs: 60_000 });
  const watch = (await watching(bench)).open();
  await bench.until(() => bench.reflector.status.watches === 1);
  bench.clock.advance(40_000);
  (await bench.server.next()).list('10', [configMap('a', '5')]);
  watch.bookmark('12');
  await bench.reported('bookmark @12');
  bench.clock.advance(40_000);
  assert.equal(bench.reflector.status.state.name, 'watching');
  bench.clock.advance(30_000);
  assert.equal((await bench.server.next()).query.resourceVersion, '12');
  assert.match(String(bench.errors[0]), /no data received for 60 s/);
  await watch.closed;
});

test('closes a watch that the server does not end at its timeout', async () => {
  await using bench = await start({ silenceMs: 3_600_000 });
  const watch = (await watching(bench)).open();
  await bench.until(() => bench.reflector.status.watches === 1);
  bench.clock.advance(330_000);
  await watch.closed;
  assert.equal((await bench.server.next()).query.watch, 'true');
});

test('lists again if the response to a watch reports an expired version', async () => {
  await using bench = await start();
  (await watching(bench)).status(410, 'Expired');
  await bench.passDelay();
  const list = await bench.server.next();
  assert.equal(list.query.watch, undefined);
  assert.equal(list.query.resourceVersion, '10');
});

test('lists again after a watch sends bytes that are not an event', async () => {
  await using bench = await start();
  (await watching(bench)).event('ADDED', configMap('b', '11')).send('{"type":"ADDED","object":}\n');
  await bench.passDelay();
  assert.equal((await bench.server.next()).query.watch, undefined);
  assert.match(String(bench.errors[0]), /an event is not JSON/);
});

test('other tasks run while a reflector applies a burst of events', async () => {
  await using bench = await start();
  const watch = await watching(bench);
  const lines = Array.from(
    { length: 20_000 },
    (_, i) => `${JSON.stringify({ type: 'MODIFIED', object: configMap('a', String(100 + i)) })}\n`,
  );
  watch.send(lines.join(''));
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await bench.reported('put a:20099 @20099');
  isDone = true;
  assert.ok(turns > 10, `others had ${turns} turns`);
});
