import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import { ManualClock } from '../../test-support/manual-clock.js';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import { RequestLimit } from '../request/request-limit.js';
import { type FailedAttempt, isConnectionRefused, retryAfterSeconds, retryDelaySeconds } from './retry.js';
import type { TransportObserver } from '../request/transport-observer.js';
import { Transport } from './transport.js';

const get = { method: 'GET', path: '/a' } as const;
const broken = (code: string): Error => Object.assign(new Error(code), { code });

const MATRIX: readonly (readonly [what: string, attempt: Partial<FailedAttempt>, seconds: number | undefined])[] = [
  ['429 with Retry-After', { code: 429, retryAfterSeconds: 3 }, 3],
  ['429 without Retry-After', { code: 429 }, undefined],
  ['500 with Retry-After', { code: 500, retryAfterSeconds: 0 }, 0],
  ['503 with Retry-After, for a write', { code: 503, retryAfterSeconds: 1, method: 'POST' }, 1],
  ['503 without Retry-After', { code: 503 }, undefined],
  ['504 with Retry-After, for a stream', { code: 504, retryAfterSeconds: 2, method: 'STREAM' }, 2],
  ['200', { code: 200, retryAfterSeconds: 1 }, undefined],
  ['409 with Retry-After', { code: 409, retryAfterSeconds: 1 }, undefined],
  ['404', { code: 404 }, undefined],
  ['a connection reset', { error: broken('ECONNRESET') }, 0],
  ['a second connection reset', { error: broken('ECONNRESET'), retries: 1 }, 1],
  ['a response that is cut off', { error: broken('UND_ERR_SOCKET'), retries: 3 }, 1],
  ['a connection reset during a write', { error: broken('ECONNRESET'), method: 'PUT' }, undefined],
  ['a connection reset during a stream', { error: broken('ECONNRESET'), method: 'STREAM' }, undefined],
  ['a refused connection', { error: broken('ECONNREFUSED') }, undefined],
  ['an untrusted certificate', { error: broken('DEPTH_ZERO_SELF_SIGNED_CERT') }, undefined],
  ['a missing response', { error: broken('UND_ERR_HEADERS_TIMEOUT') }, undefined],
  ['a 429 after ten retries', { code: 429, retryAfterSeconds: 1, retries: 10 }, undefined],
  ['a connection reset after ten retries', { error: broken('ECONNRESET'), retries: 10 }, undefined],
];
for (const [what, attempt, seconds] of MATRIX) {
  test(`[CG-168, CG-251] ${what} leads to ${seconds === undefined ? 'no retry' : `a retry after ${seconds} s`}`, () => {
    assert.equal(retryDelaySeconds({ method: 'GET', code: undefined, retries: 0, ...attempt }), seconds);
  });
}

test('[CG-168] accepts Retry-After only as a number of whole seconds', () => {
  assert.deepEqual(
    ['3', ' 4 ', '0', '-1', '1.5', 'Wed, 21 Oct 2015 07:28:00 GMT', '', undefined, ['7', '8']].map(retryAfterSeconds),
    [3, 4, 0, undefined, undefined, undefined, undefined, undefined, 7],
  );
  assert.ok(isConnectionRefused(new AggregateError([broken('ECONNREFUSED')])));
  assert.ok(isConnectionRefused(new Error('outer', { cause: broken('ECONNREFUSED') })));
  assert.ok(!isConnectionRefused('ECONNREFUSED'));
});

/** Records the calls of an observer in order. */
class Reported implements TransportObserver {
  readonly lines: string[] = [];
  readonly #clock: ManualClock;
  constructor(clock: ManualClock) {
    this.#clock = clock;
  }
  request({
    verb,
    path,
  }: {
    readonly verb: string;
    readonly path: string;
  }): ReturnType<NonNullable<TransportObserver['request']>> {
    const note = (text: string): void => void this.lines.push(`${this.#clock.monotonicMs()} ${text}`);
    note(`${verb} ${path}`);
    return {
      throttled: (waitedMs) => note(`throttled ${waitedMs}`),
      answered: ({ code, error }) => note(`answered ${code ?? (error as { code?: string }).code}`),
      retried: (_attempt, waitMs) => note(`retry in ${waitMs}`),
      ended: ({ code, retries, durationMs }) => note(`ended ${code} after ${retries} retries, ${durationMs} ms`),
    };
  }
}

test('[CG-169, CG-173] waits for the request limit before each attempt, notifies observers, and waits for Retry-After before the second attempt', async () => {
  await using server = await ScriptedServer.start();
  const clock = new ManualClock();
  const reported = new Reported(clock);
  const requestLimit = new RequestLimit({ perSecond: 0.25, burst: 1, clock });
  await using transport = new Transport({ server: server.url }, { clock, requestLimit, observers: [reported] });
  const answered = transport.request({ method: 'PUT', path: '/a', body: {} });
  (await server.next()).status(429, 'TooManyRequests', {}, { 'retry-after': '3' });
  await clock.scheduled(3000);
  clock.advance(3000);
  await clock.scheduled(1000);
  clock.advance(1000);
  (await server.next()).json(200, {});
  await answered;
  assert.deepEqual(reported.lines, [
    '0 PUT /a',
    '0 throttled 0',
    '0 answered 429',
    '0 retry in 3000',
    '4000 throttled 1000',
    '4000 answered 200',
    '4000 ended 200 after 1 retries, 4000 ms',
  ]);
});

test('[CG-168] the maximum accepted Retry-After is 1 min without a timeout, and otherwise the time until the timeout', async () => {
  await using server = await ScriptedServer.start();
  const clock = new ManualClock();
  await using transport = new Transport({ server: server.url }, { clock });
  const answersRetryAfter = async (seconds: number): Promise<void> =>
    (await server.next()).status(503, 'ServiceUnavailable', {}, { 'retry-after': String(seconds) });
  const reported = (seconds: number) => (error: unknown) =>
    error instanceof ApiError && error.status === 503 && error.body.details?.retryAfterSeconds === seconds;
  for (const send of [() => transport.request(get), () => transport.stream(get)]) {
    const refused = assert.rejects(send(), reported(86_400));
    // oxlint-disable-next-line no-await-in-loop -- the calls run sequentially
    await answersRetryAfter(60);
    // oxlint-disable-next-line no-await-in-loop -- the calls run sequentially
    await clock.scheduled(60_000);
    clock.advance(60_000);
    // oxlint-disable-next-line no-await-in-loop -- the calls run sequentially
    await answersRetryAfter(86_400);
    // oxlint-disable-next-line no-await-in-loop -- the calls run sequentially
    await refused;
  }
  const retriedRequest = assert.rejects(transport.request({ ...get, timeout: '5m' }), reported(240));
  await answersRetryAfter(120);
  await clock.scheduled(120_000);
  clock.advance(120_000);
  await answersRetryAfter(240);
  await retriedRequest;
});

test('[CG-169, CG-174] the first attempt of a watch does not wait for the request limit, but a retry waits', async () => {
  await using server = await ScriptedServer.start();
  const clock = new ManualClock();
  const reported = new Reported(clock);
  const requestLimit = new RequestLimit({ perSecond: 1, burst: 1, clock });
  await using transport = new Transport({ server: server.url }, { clock, requestLimit, observers: [reported] });
  await requestLimit.take();
  const opening = transport.stream({ path: '/watch' });
  (await server.next()).status(503, 'ServiceUnavailable', {}, { 'retry-after': '1' });
  await clock.scheduled(1000);
  clock.advance(1000);
  (await server.next()).send('ab').end();
  for await (const chunk of await opening) assert.equal(chunk.toString(), 'ab');
  assert.deepEqual(reported.lines, [
    '0 GET /watch',
    '0 answered 503',
    '0 retry in 1000',
    '1000 throttled 0',
    '1000 answered 200',
    '1000 ended 200 after 1 retries, 1000 ms',
  ]);
});

test('[CG-170] a retry sends the same bytes as the first attempt, even if the object has changed', async () => {
  await using server = await ScriptedServer.start();
  const clock = new ManualClock();
  await using transport = new Transport({ server: server.url }, { clock });
  const body = { text: 'abcd'.repeat(1000) };
  const answered = transport.request({ method: 'POST', path: '/', body });
  const first = await server.next();
  body.text = 'changed';
  first.status(500, 'InternalError', {}, { 'retry-after': '0' });
  const again = await server.next();
  assert.equal(again.body, first.body);
  again.json(201, {});
  await answered;
});

test('[CG-170] before it sends a request, rejects a body that cannot be serialized', async () => {
  await using server = await ScriptedServer.start();
  await using transport = new Transport({ server: server.url });
  const circular: { self?: object } = {};
  circular.self = circular;
  await assert.rejects(transport.request({ method: 'POST', path: '/', body: circular }));
  assert.equal(server.requests, 0);
});

for (const reply of ['request', 'stream'] as const) {
  test(`[CG-171] repeats a ${reply} that receives 503 with Retry-After at most ten times, then rejects with the last response`, async () => {
    await using server = await ScriptedServer.start();
    await using transport = new Transport({ server: server.url }, { clock: new ManualClock() });
    const work =
      reply === 'request' ? transport.request({ method: 'PATCH', path: '/' }) : transport.stream({ path: '/' });
    const rejected = assert.rejects(
      work,
      (error) => error instanceof ApiError && error.status === 503 && error.message.endsWith('time 10'),
    );
    for (let i = 0; i <= 10; i++) {
      (await server.next()).status(503, 'ServiceUnavailable', { message: `time ${i}` }, { 'retry-after': '0' });
    }
    await rejected;
    assert.equal(server.requests, 11);
  });
}

test('[CG-172] after a connection reset, retries a read immediately and then after 1 s, but never retries a write', async () => {
  await using server = await ScriptedServer.start();
  const clock = new ManualClock();
  await using transport = new Transport({ server: server.url }, { clock });
  const answered = transport.request({ method: 'GET', path: '/' });
  (await server.next()).cut();
  (await server.next()).send('{"half":').cut();
  await clock.scheduled(1000);
  clock.advance(1000);
  (await server.next()).json(200, { third: true });
  assert.deepEqual(await answered, { third: true });
  assert.equal(server.requests, 3);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    const rejected = assert.rejects(
      transport.request({ method, path: '/' }),
      (error) => (error as KubewrightError).code === 'REQUEST_FAILED',
    );
    (await server.next()).cut();
    await rejected;
  }
  assert.equal(server.unconsumed, 0);
});

test('[CG-173] reads a response to its end before a retry, and reuses the connection', async () => {
  await using server = await ScriptedServer.start();
  const clock = new ManualClock();
  await using transport = new Transport({ server: server.url }, { clock, maxConnections: 1 });
  for (const code of [429, 500, 502, 503, 504]) {
    const answered = transport.request({ method: 'GET', path: '/' });
    (await server.next()).text(code, 'x'.repeat(100_000), { 'retry-after': '0' });
    (await server.next()).json(200, {});
    await answered;
  }
  assert.equal(server.connections, 1);
});

test('[CG-174] rejects with an ApiError if the server rejects a watch, and with a connection error if the connection breaks before the response', async () => {
  await using server = await ScriptedServer.start();
  await using transport = new Transport({ server: server.url });
  for (const code of [400, 403, 404, 410, 500]) {
    const rejected = assert.rejects(
      transport.stream({ path: '/watch' }),
      (error) => error instanceof ApiError && error.status === code,
    );
    (await server.next()).status(code, 'Refused');
    await rejected;
  }
  const cut = assert.rejects(
    transport.stream({ path: '/watch' }),
    (error) => (error as KubewrightError).code === 'REQUEST_FAILED',
  );
  (await server.next()).cut();
  await cut;
  const opening = transport.stream({ path: '/watch' });
  (await server.next()).end();
  for await (const _chunk of await opening) assert.fail('a response without events has no chunks');
});
