import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { SystemClock } from '@kubewright/api/clock';
import { Counter, Gauge, register, Registry } from 'prom-client';
import { Metrics } from '../metrics/metrics.js';
import { fetchText } from '../test-support/fetch-text.js';
import { ManualClock } from '../test-support/manual-clock.js';
import { metricValue } from '../test-support/metric-value.js';
import { parseMetrics } from '../metrics/parse-metrics.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { MetricsServer, type MetricsServerOptions } from './metrics-server.js';
import { selfSignedCertificate } from './self-signed-certificate.js';

function setUp(options: MetricsServerOptions = {}, clock: SystemClock | ManualClock = new SystemClock()) {
  const metrics = new Metrics(options);
  const logger = new RecordingLogger();
  const transport = () => Promise.reject(new Error('no server receives a request'));
  const server = new MetricsServer({ host: '127.0.0.1', port: 0, ...options }, { metrics, clock, logger, transport });
  const url = (path = '/metrics', scheme = 'http') => `${scheme}://127.0.0.1:${server.address?.port}${path}`;
  return { server, metrics, logger, url };
}

test('serves only the metrics, in the Prometheus text format', async () => {
  const { server, metrics, url } = setUp();
  await using _ = server;
  await server.listen();
  metrics.controller('foo').ended('success', 12);
  const answer = await fetchText(url());
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  const families = parseMetrics(answer.text);
  assert.equal(families.get('controller_runtime_reconcile_total')?.type, 'counter');
  assert.ok(families.has('process_cpu_seconds_total'), 'with the metrics of the process');
  assert.ok(families.has('nodejs_heap_size_used_bytes'));
  for (const path of ['/', '/debug/pprof', '/metrics/', '/healthz']) {
    assert.equal((await fetchText(url(path))).status, 404, path);
  }
  const posted = await fetchText(url(), { method: 'POST' });
  assert.deepEqual([posted.status, posted.headers.allow], [405, 'GET, HEAD']);
});

test('compresses the response if the client accepts gzip', async () => {
  const { server, url } = setUp({ process: false });
  await using _ = server;
  await server.listen();
  const chunks: Buffer[] = [];
  const { get } = await import('node:http');
  const headers = await new Promise<NodeJS.Dict<string | string[]>>((resolve, reject) => {
    get(url(), { agent: false, headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve(answer.headers));
    }).on('error', reject);
  });
  assert.equal(headers['content-encoding'], 'gzip');
  parseMetrics(gunzipSync(Buffer.concat(chunks)).toString('utf8'));
});

test('serves the metrics of the global prom-client registry and of given registries', async (t) => {
  const own = new Registry();
  new Counter({ name: 'orders_total', help: 'Orders.', labelNames: ['kind'], registers: [own] }).inc({
    kind: 'a"b\\c',
  });
  new Gauge({ name: 'machines', help: 'Machines.', registers: [register] }).set(3);
  t.after(() => register.removeSingleMetric('machines'));
  const { server, metrics, url } = setUp({ registries: [own] });
  await using _ = server;
  await server.listen();
  const families = parseMetrics((await fetchText(url())).text);
  assert.deepEqual(families.get('orders_total')?.samples, [
    { name: 'orders_total', labels: { kind: 'a"b\\c' }, value: 1 },
  ]);
  assert.equal(await metricValue(metrics, 'machines'), 3);
});

test('omits a metric that throws or whose name is already used, logs this once, and serves all other metrics', async () => {
  const own = new Registry();
  new Gauge({ name: 'workqueue_depth', help: 'Another.', registers: [own] }).set(9);
  const broken = new Gauge({
    name: 'broken',
    help: 'Throws.',
    registers: [own],
    collect: () => {
      throw new Error('no');
    },
  });
  const { server, logger, url } = setUp({ registries: [own], process: false });
  await using _ = server;
  await server.listen();
  await fetchText(url());
  const families = parseMetrics((await fetchText(url())).text);
  assert.ok(!families.has((broken as unknown as { name: string }).name));
  assert.notEqual(families.get('workqueue_depth')?.help, 'Another.');
  assert.deepEqual(
    logger.lines.map(({ fields }) => String(fields.metric)).toSorted((a, b) => a.localeCompare(b)),
    ['broken', 'workqueue_depth'],
  );
});

test('serves additional handlers, rejects paths that are already used, and responds with 500 if a handler throws', async () => {
  const { server, logger, url } = setUp({
    handlers: {
      '/version': (_request, response) => void response.end('1.2.3'),
      '/broken': () => Promise.reject(new Error('no')),
    },
  });
  await using _ = server;
  await server.listen();
  assert.equal((await fetchText(url('/version'))).text, '1.2.3');
  assert.deepEqual((await fetchText(url('/broken'))).text, 'internal server error\n');
  assert.equal(logger.lines[0]?.level, 'error');
  assert.equal((await fetchText(url())).status, 200);
  const handler = () => undefined;
  for (const path of ['/metrics', '/version', 'debug']) {
    assert.throws(() => server.handle(path, handler), { code: 'INVALID_SERVING_OPTIONS' }, path);
  }
  assert.throws(() => setUp({ handlers: { '/metrics': handler } }), { code: 'INVALID_SERVING_OPTIONS' });
});

test('serves HTTPS with a self-signed certificate, and rejects plain HTTP', async () => {
  const { server, url } = setUp({ secure: true });
  await using _ = server;
  await server.listen();
  const answer = await fetchText(url('/metrics', 'https'));
  parseMetrics(answer.text);
  assert.ok(answer.fingerprint);
  await assert.rejects(fetchText(url()));
});

test('reloads certificate files that change, and keeps the last certificate if a file is invalid', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'));
  t.after(() => rm(folder, { recursive: true }));
  const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') };
  const write = async (pair: { readonly cert: string; readonly key: string }) => {
    await writeFile(files.certFile, pair.cert);
    await writeFile(files.keyFile, pair.key);
  };
  const [first, second] = [selfSignedCertificate(['127.0.0.1']), selfSignedCertificate(['127.0.0.1'])];
  await write(first);
  const clock = new ManualClock();
  const { server, metrics, logger, url } = setUp({ secure: files }, clock);
  await using _ = server;
  await server.listen();
  const look = async () => {
    clock.advance(10_000);
    await clock.scheduled(10_000);
  };
  const fetchMetrics = (ca: string) => fetchText(url('/metrics', 'https'), { ca });
  assert.equal((await fetchMetrics(first.cert)).status, 200);

  await write({ cert: second.cert, key: first.key });
  await look();
  await look();
  assert.equal(
    (await fetchMetrics(first.cert)).status,
    200,
    'a key that does not match the certificate changes nothing',
  );
  assert.equal(logger.lines.filter(({ level }) => level === 'error').length, 1, 'the error is logged once');
  assert.equal(await metricValue(metrics, 'certwatcher_read_certificate_errors_total'), 2);

  await write(second);
  await look();
  assert.equal((await fetchMetrics(second.cert)).status, 200);
  await assert.rejects(fetchMetrics(first.cert));
  assert.equal(await metricValue(metrics, 'certwatcher_read_certificate_total'), 4);
});

test('the start fails if certificate files cannot be read', async () => {
  const { server } = setUp({ secure: { certFile: '/nowhere/tls.crt', keyFile: '/nowhere/tls.key' } });
  await assert.rejects(server.listen(), { code: 'INVALID_CERTIFICATE', message: /\/nowhere\/tls\.crt/ });
  await server[Symbol.asyncDispose]();
});

test('has no metric for certificate reads if no certificate files are watched', async () => {
  assert.equal(await metricValue(new Metrics(), 'certwatcher_read_certificate_total'), undefined);
});

test('the error for a port in use contains the name of the option, with and without TLS', async () => {
  const first = setUp();
  await using _ = first.server;
  await first.server.listen();
  for (const secure of [false, true]) {
    const second = setUp({ port: first.server.address?.port ?? 0, secure });
    await assert.rejects(second.server.listen(), { code: 'ADDRESS_IN_USE', message: /metrics\.port/ });
    await second.server[Symbol.asyncDispose]();
  }
});

test('rejects headers that are too large', async () => {
  const { server, url } = setUp();
  await using _ = server;
  await server.listen();
  const answer = await fetchText(url(), { headers: { 'x-large': 'x'.repeat(2 ** 20) } }).catch(
    (error: unknown) => error,
  );
  assert.ok(answer instanceof Error || (answer as { status: number }).status === 431);
  assert.equal((await fetchText(url(), { headers: { 'x-large': 'x'.repeat(2 ** 19) } })).status, 200);
});

test('a server that was disposed of accepts no connections, and a server that never listened can be disposed of', async () => {
  const { server, url } = setUp({ secure: true });
  await server.listen();
  const address = url('/metrics', 'https');
  await server[Symbol.asyncDispose]();
  await assert.rejects(fetchText(address), { code: 'ECONNREFUSED' });
  await setUp().server[Symbol.asyncDispose]();
});
