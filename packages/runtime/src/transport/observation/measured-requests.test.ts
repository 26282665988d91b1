import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metrics } from '../../metrics/metrics.js';
import { ManualClock } from '../../test-support/manual-clock.js';
import { metricValue } from '../../test-support/metric-value.js';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import { Transport } from '../sending/transport.js';

/** Returns a transport with all client metrics. The URL of the server contains a host name, so that the transport sends DNS lookups. */
async function setUp() {
  const server = await ScriptedServer.start();
  const clock = new ManualClock();
  const metrics = new Metrics({ process: false, client: 'all' });
  const host = `localhost:${server.port}`;
  const transport = new Transport({ server: `http://${host}` }, { clock, metrics });
  return {
    server,
    clock,
    transport,
    value: (name: string, labels: Readonly<Record<string, string>>) => metricValue(metrics, name, { ...labels, host }),
    async [Symbol.asyncDispose]() {
      await transport.close();
      await server.close();
    },
  };
}

test('[OT-08] measures the number, duration and sizes of requests, and the duration of DNS lookups', async () => {
  await using bench = await setUp();
  const requested = bench.transport.request({ method: 'POST', path: '/api/v1/namespaces', body: { a: 1 } });
  const exchange = await bench.server.next();
  bench.clock.advance(300);
  exchange.json(201, { b: 22 });
  await requested;
  const post = { verb: 'POST' };
  assert.equal(await bench.value('rest_client_requests_total', { code: '201', method: 'POST' }), 1);
  assert.equal(await bench.value('rest_client_request_duration_seconds_sum', post), 0.3);
  assert.equal(await bench.value('rest_client_request_size_bytes_sum', post), 7);
  assert.equal(await bench.value('rest_client_response_size_bytes_sum', post), 8);
  assert.equal(await bench.value('rest_client_dns_resolution_duration_seconds_count', {}), 1);
  assert.equal(await bench.value('rest_client_request_retries_total', { code: '429', ...post }), undefined);
});

test('[OT-08] counts each attempt as a request, and each later attempt as a retry with the previous status code', async () => {
  await using bench = await setUp();
  const requested = bench.transport.request({ method: 'PUT', path: '/api/v1/namespaces/a', body: {} });
  (await bench.server.next()).status(429, 'TooManyRequests', {}, { 'retry-after': '2' });
  await bench.clock.scheduled(2000);
  bench.clock.advance(2000);
  (await bench.server.next()).json(200, {});
  await requested;
  assert.equal(await bench.value('rest_client_requests_total', { code: '429', method: 'PUT' }), 1);
  assert.equal(await bench.value('rest_client_requests_total', { code: '200', method: 'PUT' }), 1);
  assert.equal(await bench.value('rest_client_request_retries_total', { code: '429', verb: 'PUT' }), 1);
});

test('counts a request without a response, and counts a watch when the head of its response arrives', async () => {
  await using bench = await setUp();
  const requested = bench.transport.request({ method: 'PATCH', path: '/api/v1/namespaces/a', body: {} });
  (await bench.server.next()).cut();
  await assert.rejects(requested, { code: 'REQUEST_FAILED' });
  assert.equal(await bench.value('rest_client_requests_total', { code: '<error>', method: 'PATCH' }), 1);
  const opening = bench.transport.stream({ path: '/api/v1/namespaces', query: { watch: true } });
  (await bench.server.next()).open();
  const stream = await opening;
  assert.equal(await bench.value('rest_client_requests_total', { code: '200', method: 'GET' }), 1);
  assert.equal(await bench.value('rest_client_request_duration_seconds_count', { verb: 'GET' }), 1);
  assert.equal(await bench.value('rest_client_response_size_bytes_count', { verb: 'GET' }), undefined);
  stream.close();
});
