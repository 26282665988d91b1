import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { ManualClock } from '../../test-support/manual-clock.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import { RequestLimit } from './request-limit.js';
import { Transport } from '../sending/transport.js';

async function answering(server: ScriptedServer, count: number): Promise<void> {
  for (let i = 0; i < count; i++) (await server.next()).json(200, {});
}
const get = { method: 'GET', path: '/' } as const;

test('[CG-175] sends up to `burst` requests at once, and then `perSecond` requests per second', async () => {
  await using server = await ScriptedServer.start();
  const clock = new ManualClock();
  const requestLimit = new RequestLimit({ perSecond: 10, burst: 3, clock });
  await using transport = new Transport({ server: server.url }, { clock, requestLimit });
  const five = Promise.all(Array.from({ length: 5 }, () => transport.request(get)));
  await answering(server, 3);
  await Promise.all([clock.scheduled(100), clock.scheduled(200)]);
  assert.equal(server.requests, 3);
  clock.advance(100);
  await answering(server, 1);
  assert.equal(server.requests, 4);
  clock.advance(100);
  await answering(server, 1);
  await five;
  clock.advance(60_000);
  assert.equal(requestLimit.waitMs, 0);
  for (let i = 0; i < 3; i++) await requestLimit.take();
  assert.ok(requestLimit.waitMs > 0, 'unused tokens accumulate up to the burst');
});

test('[CG-175] clients have no limit by default, can have separate limits, and can share a limit', async () => {
  await using server = await ScriptedServer.start();
  const clock = new ManualClock();
  const shared = new RequestLimit({ perSecond: 1, burst: 1, clock });
  const options = { clock, requestLimit: shared };
  await using one = new Transport({ server: server.url }, options);
  await using two = new Transport({ server: server.url }, options);
  await using own = new Transport(
    { server: server.url },
    { clock, requestLimit: new RequestLimit({ perSecond: 1, burst: 1, clock }) },
  );
  await using free = new Transport({ server: server.url }, { clock });
  const first = one.request(get);
  await answering(server, 1);
  await first;
  const second = two.request(get);
  await clock.scheduled(1000);
  const others = Promise.all([own.request(get), ...Array.from({ length: 20 }, () => free.request(get))]);
  await answering(server, 21);
  await others;
  assert.equal(server.unconsumed, 0);
  clock.advance(1000);
  await answering(server, 1);
  await second;
});

test('[CG-176] rejects a request immediately if its timeout would expire during the wait for a token, and takes no token', async () => {
  await using server = await ScriptedServer.start();
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const requestLimit = new RequestLimit({ perSecond: 0.1, burst: 1, clock });
  await using transport = new Transport({ server: server.url }, { clock, requestLimit, logger });
  await requestLimit.take();
  await assert.rejects(transport.request({ ...get, timeout: '9s', attempted: 'get pod a' }), (error) => {
    assert.equal((error as KubewrightError).code, 'REQUEST_TIMEOUT');
    assert.match(String(error), /get pod a: waiting for the client-side request limit would take 10\.0 s/);
    return true;
  });
  assert.equal(requestLimit.waitMs, 10_000);
  const waiting = transport.request({ ...get, timeout: '11s' });
  await clock.scheduled(10_000);
  clock.advance(10_000);
  await answering(server, 1);
  await waiting;
  assert.deepEqual(
    logger.lines.map(({ level, message }) => [level, message]),
    [['info', 'a request was delayed by the client-side request limit, not by the server']],
  );
});

test('[CG-176] a request that is aborted while it waits returns its token', async () => {
  await using server = await ScriptedServer.start();
  const clock = new ManualClock();
  const requestLimit = new RequestLimit({ perSecond: 1, burst: 1, clock });
  await using transport = new Transport({ server: server.url }, { clock, requestLimit });
  await requestLimit.take();
  const stop = new AbortController();
  const aborted = assert.rejects(transport.request({ ...get, signal: stop.signal }), { name: 'AbortError' });
  await clock.scheduled(1000);
  stop.abort();
  await aborted;
  assert.equal(requestLimit.waitMs, 1000);
  const closed = assert.rejects(
    transport.request(get),
    (error) => (error as KubewrightError).code === 'TRANSPORT_CLOSED',
  );
  await clock.scheduled(1000);
  await transport.close();
  await closed;
  assert.equal(server.requests, 0);
});

test('rejects a request limit whose rate or burst is out of range', () => {
  for (const options of [
    { perSecond: 0 },
    { perSecond: Number.NaN },
    { perSecond: 1, burst: 0 },
    { perSecond: 1, burst: 1.5 },
  ])
    assert.throws(
      () => new RequestLimit(options),
      (error) => (error as KubewrightError).code === 'INVALID_OPTION',
    );
});
