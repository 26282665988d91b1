import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Counter, expositionOf, Family, formatNumber, Gauge, Histogram } from '@kubewright/api/metrics';
import { metricValue } from '../test-support/metric-value.js';
import { parseMetrics } from './parse-metrics.js';
import { Metrics } from './metrics.js';

const CLIENT = { method: 'GET', body: '{"a":1}', durationMs: 30, answer: { code: 200, body: Buffer.alloc(100) } };
const request = { verb: 'GET', host: 'api:6443' };

async function namesOf(metrics: Metrics): Promise<readonly string[]> {
  return [...parseMetrics(await metrics.text()).keys()];
}

test('[OT-08] always counts requests, and records other request metrics only if they are enabled', async () => {
  const plain = new Metrics({ process: false });
  plain.client('api:6443').requested(CLIENT);
  assert.deepEqual(
    (await namesOf(plain)).filter((name) => name.startsWith('rest_client')),
    ['rest_client_requests_total'],
  );
  assert.equal(
    await metricValue(plain, 'rest_client_requests_total', { code: '200', method: 'GET', host: 'api:6443' }),
    1,
  );
});

test('[OT-08] the other request metrics can be enabled one by one or all together', async () => {
  const sent = (metrics: Metrics): Metrics => {
    const client = metrics.client('api:6443');
    client.requested(CLIENT);
    client.retried('GET', 429);
    client.held('GET', 20);
    client.resolved(3);
    return metrics;
  };
  const names = {
    duration: 'rest_client_request_duration_seconds',
    dnsResolution: 'rest_client_dns_resolution_duration_seconds',
    requestSize: 'rest_client_request_size_bytes',
    responseSize: 'rest_client_response_size_bytes',
    rateLimiter: 'rest_client_rate_limiter_duration_seconds',
    retries: 'rest_client_request_retries_total',
  } as const;
  for (const [option, name] of Object.entries(names) as [keyof typeof names, string][]) {
    const metrics = sent(new Metrics({ process: false, client: [option] }));
    assert.deepEqual(await namesOf(metrics), ['rest_client_requests_total', name]);
  }
  const all = sent(new Metrics({ process: false, client: 'all' }));
  assert.deepEqual(
    (await namesOf(all)).toSorted(byText),
    ['rest_client_requests_total', ...Object.values(names)].toSorted(byText),
  );
  assert.equal(await metricValue(all, `${names.duration}_bucket`, { ...request, le: '0.025' }), 0);
  assert.equal(await metricValue(all, `${names.duration}_bucket`, { ...request, le: '0.1' }), 1);
  assert.equal(await metricValue(all, `${names.requestSize}_sum`, request), 7);
  assert.equal(await metricValue(all, `${names.responseSize}_sum`, request), 100);
  assert.equal(await metricValue(all, `${names.rateLimiter}_sum`, request), 0.02);
  assert.equal(await metricValue(all, names.retries, { ...request, code: '429' }), 1);
  assert.equal(await metricValue(all, `${names.dnsResolution}_sum`, { host: 'api:6443' }), 0.003);
});

test('rejects an unknown request metric and a value that is not a registry', () => {
  const wrong = (options: object, message: RegExp) =>
    assert.throws(() => new Metrics(options), { code: 'INVALID_METRICS_OPTIONS', message });
  wrong({ client: ['latency'] }, /'latency'.*duration, dnsResolution/);
  wrong({ registries: [{}] }, /metrics\.registries/);
  wrong({ registries: [undefined] }, /metrics\.registries/);
});

test('counts a request without a response as <error>', async () => {
  const metrics = new Metrics({ process: false });
  metrics.client('api:6443').requested({ ...CLIENT, answer: undefined });
  const labels = { code: '<error>', method: 'GET', host: 'api:6443' };
  assert.equal(await metricValue(metrics, 'rest_client_requests_total', labels), 1);
});

test('creates all series of a controller with the value 0 at its start', async () => {
  const metrics = new Metrics({ process: false });
  metrics.controller('foo').concurrency(3);
  const families = parseMetrics(await metrics.text());
  const values = new Map([...families].map(([name, { samples }]) => [name, samples.map(({ value }) => value)]));
  assert.deepEqual(values.get('controller_runtime_reconcile_total'), [0, 0, 0, 0]);
  assert.deepEqual(values.get('controller_runtime_max_concurrent_reconciles'), [3]);
  for (const name of [
    'controller_runtime_reconcile_errors_total',
    'controller_runtime_terminal_reconcile_errors_total',
    'controller_runtime_reconcile_panics_total',
    'controller_runtime_reconcile_timeouts_total',
    'controller_runtime_active_workers',
    'kubewright_reconcile_conflicts_total',
    'kubewright_paused_objects',
    'kubewright_hot_loops_total',
  ]) {
    assert.deepEqual(values.get(name), [0], name);
  }
  const results = families.get('controller_runtime_reconcile_total')?.samples.map(({ labels }) => labels.result);
  assert.deepEqual(results, ['success', 'error', 'requeue', 'requeue_after']);
  assert.equal(
    families.get('controller_runtime_reconcile_time_seconds')?.samples.length,
    43,
    '40 buckets, +Inf, sum and count',
  );
});

test('limits the number of values of the cause label', async () => {
  const metrics = new Metrics({ process: false });
  const controller = metrics.controller('foo');
  for (let cause = 0; cause < 100; cause++) controller.began([{ kind: `cause-${cause}` }, { kind: 'owned' }]);
  const samples = parseMetrics(await metrics.text()).get('kubewright_reconcile_causes_total')?.samples ?? [];
  assert.deepEqual(
    samples.filter(({ labels }) => labels.cause?.startsWith('cause-')),
    [],
  );
  assert.equal(samples.find(({ labels }) => labels.cause === 'other')?.value, 100);
  assert.equal(samples.find(({ labels }) => labels.cause === 'owned')?.value, 100);
});

test('reads the state of an election when metrics are collected, and a last time when the election ends', async () => {
  const metrics = new Metrics({ process: false });
  let isLeader = false;
  const ended = metrics.followElection(() => ({ name: 'operator', isLeader, slowPaths: 2 }));
  const lease = { name: 'operator' };
  assert.equal(await metricValue(metrics, 'leader_election_master_status', lease), 0);
  isLeader = true;
  assert.equal(await metricValue(metrics, 'leader_election_master_status', lease), 1);
  assert.equal(await metricValue(metrics, 'leader_election_slowpath_total', lease), 2);
  isLeader = false;
  ended();
  isLeader = true;
  assert.equal(await metricValue(metrics, 'leader_election_master_status', lease), 0, 'as it was at the end');
});

test('exports the numbers of events as counters, and reads them when metrics are collected', async () => {
  const metrics = new Metrics({ process: false });
  let sent = 3;
  metrics.followEvents(() => ({ sent, silenced: 2, dropped: 1, failed: 0 }));
  const value = (outcome: string) => metricValue(metrics, 'kubewright_events_total', { outcome });
  assert.deepEqual(await Promise.all(['sent', 'silenced', 'dropped', 'failed'].map(value)), [3, 2, 1, 0]);
  sent = 5;
  assert.equal(await value('sent'), 5);
});

test('writes valid exposition format for any labels, help texts and numbers', () => {
  const family = new Family(
    { name: 'odd', type: 'gauge', help: 'a \\ and\na line', labels: ['a', 'b'] },
    () => new Gauge(),
  );
  family.of('quote " back \\ line \n end', 'ü{}=,').set(Number.NaN);
  family.of('', 'le').set(Number.NEGATIVE_INFINITY);
  const parsed = parseMetrics(expositionOf(family)).get('odd');
  assert.equal(parsed?.help, 'a \\ and\na line');
  assert.deepEqual(
    parsed.samples.map(({ labels, value }) => [labels.a, labels.b, value]),
    [
      ['quote " back \\ line \n end', 'ü{}=,', Number.NaN],
      ['', 'le', Number.NEGATIVE_INFINITY],
    ],
  );
  assert.equal(
    expositionOf(new Family({ name: 'none', type: 'counter', help: '', labels: [] }, () => new Counter())),
    '',
  );
});

test('formats numbers in the same way as Go, so that the names of buckets match', () => {
  const written = [1e-8, 10e-9 * 10 * 10 * 10, 0.0001, 0.005, 1, 999_999, 1_048_576, 1e21, Number.POSITIVE_INFINITY];
  assert.deepEqual(written.map(formatNumber), [
    '1e-08',
    '9.999999999999999e-06',
    '0.0001',
    '0.005',
    '1',
    '999999',
    '1.048576e+06',
    '1e+21',
    '+Inf',
  ]);
});

test('counts a value that is equal to a bound in the bucket of this bound', () => {
  const histogram = new Histogram([1, 2, 5]);
  for (const value of [0, 1, 1.5, 2, 5, 6]) histogram.observe(value);
  assert.deepEqual(histogram.cumulative, [2, 4, 5, 6]);
  assert.deepEqual([histogram.count, histogram.sum], [6, 15.5]);
});

function byText(a: string, b: string): number {
  return a.localeCompare(b);
}
