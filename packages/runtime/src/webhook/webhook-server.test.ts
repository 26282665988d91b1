import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test, type TestContext } from 'node:test';
import { createSecureContext } from 'node:tls';
import { SystemClock } from '@kubewright/api/clock';
import { Metrics } from '../metrics/metrics.js';
import { sendText } from '../serving/http-endpoint.js';
import { InMemoryCertificates } from '../serving/in-memory-certificates.js';
import { selfSignedCertificate } from '../serving/self-signed-certificate.js';
import { fetchText } from '../test-support/fetch-text.js';
import { ManualClock } from '../test-support/manual-clock.js';
import { metricValue } from '../test-support/metric-value.js';
import type { Posted, Posting } from '../test-support/posting-process.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { postReview } from '../test-support/webhook-calls.js';
import { BodyDeadlines } from './body-deadlines.js';
import { MAX_ADMISSION_BYTES, readBody } from './read-body.js';
import { sendJson } from './review.js';
import { WebhookServer, type WebhookServerOptions } from './webhook-server.js';

function setUp(t: TestContext, options: Partial<WebhookServerOptions> = {}) {
  const certificates = new InMemoryCertificates(['localhost', '127.0.0.1']);
  const logger = new RecordingLogger();
  const metrics = new Metrics();
  const server = new WebhookServer(
    { host: '127.0.0.1', port: 0, certificates, ...options },
    { clock: new SystemClock(), logger, metrics },
  );
  t.after(() => server[Symbol.asyncDispose]());
  const url = (path: string) => `https://127.0.0.1:${server.address?.port}${path}`;
  return { server, certificates, logger, metrics, url };
}

test('[WC-12] rejects a second handler for a path', (t) => {
  const { server } = setUp(t);
  server.handle('/a', () => undefined);
  assert.throws(() => server.handle('/a', () => undefined), {
    code: 'DUPLICATE_WEBHOOK',
    message: /another webhook has this path; set the option path/,
  });
});

test('[WC-13, WC-14] serves handlers that are added before and after the start, and responds with 404 otherwise', async (t) => {
  const { server, certificates, url, logger } = setUp(t);
  server.handle('/before', (_request, response) => sendText(response, 200, 'before'));
  await server.listen();
  server.handle('/after', (_request, response) => sendText(response, 200, 'after'));
  const ca = certificates.caBundle;
  assert.deepEqual((await fetchText(url('/before'), { ca })).text, 'before');
  assert.deepEqual((await fetchText(url('/after?timeout=10s'), { ca })).text, 'after');
  assert.equal((await fetchText(url('/other'), { ca })).status, 404);
  assert.equal(logger.lines[0]?.fields['path'], '/other');
});

test('records requests by path and status code', async (t) => {
  const { server, metrics, url } = setUp(t);
  server.handle('/a', (_request, response) => sendText(response, 200, 'a'));
  server.handle('/b', () => {
    throw new Error('no');
  });
  await server.listen();
  await postReview(url('/a'), {});
  await postReview(url('/b'), {});
  const total = 'controller_runtime_webhook_requests_total';
  assert.equal(await metricValue(metrics, total, { webhook: '/a', code: '200' }), 1);
  assert.equal(await metricValue(metrics, total, { webhook: '/a', code: '500' }), 0);
  assert.equal(await metricValue(metrics, total, { webhook: '/b', code: '500' }), 1);
  assert.equal(await metricValue(metrics, 'controller_runtime_webhook_requests_in_flight', { webhook: '/a' }), 0);
  assert.match(await metrics.text(), /controller_runtime_webhook_latency_seconds_count\{webhook="\/a"\} 1/);
});

test('[WC-15] honors TLS options, and a certificate of an SNI callback takes precedence', async (t) => {
  const own = selfSignedCertificate(['localhost']);
  const { server, url } = setUp(t, {
    tls: { minVersion: 'TLSv1.3', SNICallback: (_name, done) => done(null, createSecureContext(own)) },
  });
  server.handle('/a', (_request, response) => sendText(response, 200, 'a'));
  await server.listen();
  const { text } = await fetchText(url('/a').replace('127.0.0.1', 'localhost'), { ca: own.cert });
  assert.equal(text, 'a');
});

test('[WC-15] rejects clients without a certificate if the TLS options require one', async (t) => {
  const client = selfSignedCertificate(['client']);
  const { server, url } = setUp(t, { tls: { requestCert: true, rejectUnauthorized: true, ca: client.cert } });
  server.handle('/a', (_request, response) => sendText(response, 200, 'a'));
  await server.listen();
  await assert.rejects(fetchText(url('/a')));
});

test('answers large requests that follow large responses on the same connection', async (t) => {
  const { server, certificates, url } = setUp(t);
  const clock = new SystemClock();
  server.handle('/echo', async (request, response) => {
    const body = await readBody(request, { deadlines: new BodyDeadlines(clock), maxBytes: MAX_ADMISSION_BYTES });
    // In this phase of the event loop, Node.js only notices after the next read that the response is written.
    await new Promise((resume) => setImmediate(resume));
    sendJson(response, JSON.parse(String(body)));
  });
  await server.listen();
  const body = JSON.stringify({ text: 'x'.repeat(200_000) });
  // A client in this process would never send its next request before the response is written completely.
  const client = fork(new URL('../test-support/posting-process.js', import.meta.url));
  client.send({ url: url('/echo'), ca: certificates.caBundle, body, count: 50 } satisfies Posting);
  const [posted] = (await once(client, 'message')) as [Posted];
  await once(client, 'exit');
  assert.deepEqual(posted, { text: body });
});

test('uses a new certificate for new connections', async (t) => {
  const { server, certificates, url } = setUp(t);
  server.handle('/a', (_request, response) => sendText(response, 200, 'a'));
  await server.listen();
  const before = certificates.caBundle;
  certificates.rotate();
  assert.equal((await fetchText(url('/a'), { ca: certificates.caBundle })).text, 'a');
  await assert.rejects(fetchText(url('/a'), { ca: before }));
});

test('uses a certificate that changes before the server listens', async (t) => {
  const { server, certificates, url } = setUp(t);
  server.handle('/a', (_request, response) => sendText(response, 200, 'a'));
  const start = certificates.start.bind(certificates);
  certificates.start = async (signal) => {
    const first = await start(signal);
    certificates.rotate();
    return first;
  };
  await server.listen();
  assert.equal((await fetchText(url('/a'), { ca: certificates.caBundle })).text, 'a');
});

test('the check fails before the server listens, and succeeds afterwards', async (t) => {
  const { server } = setUp(t);
  assert.equal(await server.check(), 'the webhook server is not listening');
  await server.listen();
  assert.equal(await server.check(), undefined);
});

test('the check fails if the server does not complete the handshake within 10 s', async (t) => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => silent.close());
  const clock = new ManualClock();
  const server = new WebhookServer(
    { certificates: new InMemoryCertificates() },
    { clock, logger: new RecordingLogger(), metrics: new Metrics() },
  );
  Object.defineProperty(server, 'address', {
    value: silent.address() && { host: '127.0.0.1', port: (silent.address() as { port: number }).port },
  });
  const checked = server.check();
  await clock.scheduled(10_000);
  clock.advance(10_000);
  assert.equal(await checked, 'the webhook server did not respond within 10 s');
});
