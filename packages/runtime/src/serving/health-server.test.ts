import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { type FetchedText, fetchText } from '../test-support/fetch-text.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import type { HealthCheck } from './health-check.js';
import { HealthServer, type HealthServerOptions } from './health-server.js';

const good = (name: string): HealthCheck => ({ name, check: () => undefined });
const bad = (name: string, reason = 'the disk is full'): HealthCheck => ({ name, check: () => reason });

function newServer(options: HealthServerOptions = {}, logger = new RecordingLogger()): HealthServer {
  return new HealthServer({ host: '127.0.0.1', port: 0, ...options }, { clock: new SystemClock(), logger });
}
/** Starts a server with these readiness checks and requests these paths. */
async function get<const P extends readonly string[]>(
  checks: readonly HealthCheck[],
  ...paths: P
): Promise<{ readonly [I in keyof P]: FetchedText }> {
  await using server = newServer({ readiness: checks });
  await server.listen();
  const answers: FetchedText[] = [];
  for (const path of paths) answers.push(await fetchText(`http://127.0.0.1:${server.address?.port}${path}`));
  return answers as unknown as { readonly [I in keyof P]: FetchedText };
}

test('[OT-01] responds with 200 and ok if all checks pass', async () => {
  const [answer] = await get([good('one'), good('two')], '/readyz');
  assert.deepEqual([answer.status, answer.text], [200, 'ok']);
  assert.equal(answer.headers['cache-control'], 'no-cache, private');
  assert.equal(answer.headers['x-content-type-options'], 'nosniff');
});

test('[OT-02] responds with 500 if one check fails or throws', async () => {
  const throwing: HealthCheck = { name: 'broken', check: () => Promise.reject(new Error('no')) };
  for (const check of [bad('broken'), throwing]) {
    const [answer] = await get([good('one'), check], '/readyz');
    assert.equal(answer.status, 500);
    assert.match(answer.text, /^\[-\]broken failed: reason withheld$/m);
  }
});

test('[OT-03] does not run excluded checks, and warns if the name of an exclusion is unknown', async () => {
  const checks = [good('one'), bad('two'), bad('three')];
  const [both, one, unknown] = await get(
    checks,
    '/readyz?exclude=two&exclude=three',
    '/readyz?exclude=two',
    '/readyz?exclude=two&exclude=three&exclude=four&verbose',
  );
  assert.deepEqual([both.status, both.text], [200, 'ok']);
  assert.equal(one.status, 500);
  assert.match(one.text, /^\[\+\]two excluded: ok$/m);
  assert.equal(unknown.status, 200);
  assert.match(unknown.text, /^warn: some health checks cannot be excluded: no matches for "four"$/m);
});

test('a check that excludes itself does not run for a request for all checks, but runs for a request for this check', async () => {
  const checks = [
    good('one'),
    { ...bad('two'), isExcluded: () => true },
    { ...good('three'), isExcluded: () => false },
  ];
  const [all, verbose, own] = await get(checks, '/readyz', '/readyz?verbose', '/readyz/two');
  assert.deepEqual([all.status, all.text], [200, 'ok']);
  assert.equal(verbose.text, '[+]one ok\n[+]two excluded: ok\n[+]three ok\nreadyz check passed\n');
  assert.equal(own.status, 500);
});

test('[OT-04] lists the checks with ?verbose, and always if a check fails', async () => {
  const [quiet, verbose] = await get([good('one'), good('two')], '/readyz', '/readyz?verbose');
  assert.equal(quiet.text, 'ok');
  assert.deepEqual([verbose.status, verbose.text], [200, '[+]one ok\n[+]two ok\nreadyz check passed\n']);
  const [requested, plain] = await get([good('one'), bad('two')], '/readyz?verbose=1', '/readyz');
  const list = '[+]one ok\n[-]two failed: reason withheld\nreadyz check failed\n';
  assert.deepEqual([requested.status, requested.text], [500, list]);
  assert.deepEqual([plain.status, plain.text], [500, list]);
});

test('[OT-05] runs the check ping if no checks were added', async () => {
  const [all, ping] = await get([], '/readyz?verbose', '/readyz/ping');
  assert.equal(all.text, '[+]ping ok\nreadyz check passed\n');
  assert.deepEqual([ping.status, ping.text], [200, 'ok']);
  const [notFound] = await get([good('one')], '/readyz/ping');
  assert.equal(notFound.status, 404);
});

test('[OT-06] the path of a check returns its result and reason, and the path of an unknown check returns 404', async () => {
  const checks = [good('one'), bad('two')];
  const [one, two, three, slash] = await get(checks, '/readyz/one', '/readyz/two', '/readyz/three', '/readyz/');
  assert.deepEqual([one.status, one.text], [200, 'ok']);
  assert.deepEqual([two.status, two.text], [500, 'internal server error: the disk is full\n']);
  assert.equal(three.status, 404);
  assert.equal(slash.status, 500, 'all of them');
});

test('runs only the requested check and passes the request to the check', async () => {
  const seen: string[] = [];
  const noting = (name: string): HealthCheck => ({
    name,
    check: (request) => {
      seen.push(`${name} ${request.method} ${request.url}`);
    },
  });
  await get([noting('one'), noting('two')], '/readyz/two?x=1', '/readyz?exclude=two');
  assert.deepEqual(seen, ['two GET /readyz/two?x=1', 'one GET /readyz?exclude=two']);
});

test('logs each reason of a failing check once, and logs the recovery of the check', async () => {
  const logger = new RecordingLogger();
  let reason: string | undefined = 'no leader';
  await using server = newServer({}, logger);
  server.addReadiness({ name: 'leader', check: () => reason });
  await server.listen();
  const url = `http://127.0.0.1:${server.address?.port}/readyz`;
  await fetchText(url);
  await fetchText(url);
  reason = undefined;
  await fetchText(url);
  assert.deepEqual(
    logger.lines.map(({ level, fields }) => [level, fields.check, fields.reason]),
    [
      ['warn', 'leader', 'no leader'],
      ['info', 'leader', undefined],
    ],
  );
});

test('liveness and readiness have separate checks and configurable paths', async () => {
  await using server = newServer({
    livenessPath: '/live',
    readinessPath: '/health/ready',
    liveness: [good('loop')],
    readiness: [bad('cache')],
  });
  await server.listen();
  const get = async (path: string) => (await fetchText(`http://127.0.0.1:${server.address?.port}${path}`)).status;
  assert.deepEqual(
    await Promise.all(
      ['/live', '/live/loop', '/health/ready', '/health/ready/cache', '/healthz', '/', '/livez'].map(get),
    ),
    [200, 200, 500, 500, 404, 404, 404],
  );
});

test('a server that was disposed of accepts no connections', async () => {
  const server = newServer();
  await server.listen();
  const url = `http://127.0.0.1:${server.address?.port}/healthz`;
  assert.equal((await fetchText(url)).status, 200);
  await server[Symbol.asyncDispose]();
  assert.equal(server.address, undefined);
  await assert.rejects(fetchText(url), { code: 'ECONNREFUSED' });
  await server[Symbol.asyncDispose]();
});

test('the error for a port in use contains the name of the option', async () => {
  await using first = newServer();
  await first.listen();
  const second = newServer({ port: first.address?.port ?? 0 });
  await assert.rejects(second.listen(), {
    code: 'ADDRESS_IN_USE',
    message: /health on 127\.0\.0\.1, port \d+.*health\.port/,
  });
  await second[Symbol.asyncDispose]();
});

test('rejects invalid options immediately', () => {
  for (const port of [-1, 65_536, 1.5, Number.NaN]) {
    assert.throws(() => newServer({ port }), { code: 'INVALID_SERVING_OPTIONS', message: /health\.port/ });
  }
  assert.throws(() => newServer({ livenessPath: 'live' }), { code: 'INVALID_SERVING_OPTIONS' });
  assert.throws(() => newServer({ livenessPath: '/z', readinessPath: '/z' }), { code: 'INVALID_SERVING_OPTIONS' });
  assert.throws(() => newServer({ liveness: [good('a'), good('a')] }), { code: 'INVALID_HEALTH_CHECK' });
  assert.throws(() => newServer({ readiness: [good('a/b')] }), { code: 'INVALID_HEALTH_CHECK' });
});
