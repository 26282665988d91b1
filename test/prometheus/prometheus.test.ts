import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test, type TestContext } from 'node:test';
import { Foo, FooController } from '@kubewright/example-foo';
import type { Manager } from '@kubewright/runtime';
import { parseMetrics, TestEnvironment } from '@kubewright/testing';
import { Counter, Gauge, Histogram, register } from 'prom-client';
import { type Answered, prometheusProgram, PrometheusServer, type Target } from './prometheus-server.js';
import { ALERTS, DASHBOARD_QUERIES } from './queries.js';

const prometheus = prometheusProgram('prometheus');
const promtool = prometheusProgram('promtool');
const skip = (program: string | undefined) =>
  program === undefined ? { skip: 'Prometheus is not installed; run node scripts/install-prometheus.mjs' } : {};
/** Values of the dashboard variables. */
const VARIABLES = { job: 'foo-metrics', namespace: 'foo-system', pod: 'foo-controller-manager-0' } as const;
/** A query for the number of successful reconciles of the ten objects. */
const RECONCILED = 'sum(controller_runtime_reconcile_total{controller="sample-controller",result="success"})';
const OURS = /^(controller_runtime|workqueue|rest_client|leader_election|certwatcher|kubewright)_/;

/** Runs the operator of the example on the embedded server, and serves the metrics of the operator. */
async function operator(env: TestEnvironment): Promise<Manager> {
  const manager = env.manager({
    metrics: { host: '127.0.0.1', port: 0 },
    leaderElection: { name: 'sample-controller', namespace: 'default' },
  });
  await manager.add(FooController).start();
  await manager.elected;
  return manager;
}
async function createFoos(env: TestEnvironment, from: number): Promise<void> {
  for (let foo = from; foo < from + 5; foo++) {
    const metadata = { name: `foo-${foo}`, namespace: 'default' };
    await env.client.create(new Foo({ metadata, spec: { deploymentName: `web-${foo}`, replicas: 1 } }));
  }
  await env.settled();
}
/** Registers custom metrics in prom-client's global registry, as the program of an operator does. */
function ownMetrics(t: TestContext): { observe(): void } {
  const checks = new Counter({ name: 'foo_checks_total', help: 'Checks of Foos.' });
  const known = new Gauge({ name: 'foo_known', help: 'Foos that are known.' });
  const seconds = new Histogram({ name: 'foo_check_seconds', help: 'How long checks took.' });
  t.after(() => {
    for (const name of ['foo_checks_total', 'foo_known', 'foo_check_seconds']) register.removeSingleMetric(name);
  });
  return {
    observe: () => {
      checks.inc();
      known.set(10);
      seconds.observe(0.02);
    },
  };
}
/** Resolves when the last of the given number of scrapes begins. Prometheus has then stored the results of the earlier scrapes. */
function scrapes(manager: Manager, times: number): Promise<void> {
  let left = times;
  return new Promise((resolve) => {
    const end = manager.metrics.onCollect(() => {
      left--;
      if (left > 0) return;
      end();
      resolve();
    });
  });
}
function withVariables(query: string): string {
  return query.replace(/\$(job|namespace|pod)/g, (_, name: keyof typeof VARIABLES) => VARIABLES[name]);
}
const rulesFile = JSON.stringify({
  groups: [
    {
      name: 'operator',
      rules: ALERTS.map(({ alert, query, above }) => ({ alert, expr: `(${query}) > ${above}`, for: '10m' })),
    },
  ],
});

test(
  'Prometheus returns data of a Kubewright operator for unchanged queries of published dashboards and alerts',
  skip(prometheus),
  async (t) => {
    await using env = await TestEnvironment.start({ kinds: [Foo] });
    const own = ownMetrics(t);
    const manager = await operator(env);
    const target: Target = { address: `127.0.0.1:${manager.metricsServer.address?.port}`, labels: VARIABLES };
    await using scraper = await PrometheusServer.start(prometheus ?? '', target, rulesFile);
    await createFoos(env, 0);
    await scrapes(manager, 3);
    await createFoos(env, 5);
    own.observe();
    await scrapes(manager, 3);
    const named = [
      ...DASHBOARD_QUERIES.map(({ panel: name, query }) => ({ name, query: withVariables(query) })),
      ...ALERTS.map(({ alert: name, query }) => ({ name, query })),
    ];
    /** Returns the queries without sufficient data and the rules whose evaluation failed. */
    const missing = async (): Promise<readonly string[]> => {
      const rules = await scraper.rules();
      const left = ALERTS.filter(({ alert }) => rules.get(alert)?.health !== 'ok').map(({ alert }) => `rule ${alert}`);
      for (const { name, query } of named) if (!hasData(await scraper.query(query))) left.push(`${name}: ${query}`);
      const [done] = await scraper.query(RECONCILED);
      if ((done?.value ?? 0) < 10) left.push(`${RECONCILED}: ${done?.value}`);
      return left;
    };
    // Checks after each scrape, because a scrape that exceeds its timeout returns no data.
    for (let scrape = 0; scrape < 40 && (await missing()).length > 0; scrape++) await scrapes(manager, 1);
    assert.deepEqual(await missing(), [], `no data; ${(await scraper.problems()).join(', ')}`);
  },
);

test('promtool reports no problems in the metrics of the runtime', skip(promtool), async () => {
  await using env = await TestEnvironment.start({ kinds: [Foo] });
  const manager = await operator(env);
  await createFoos(env, 0);
  const text = await manager.metrics.text();
  parseMetrics(text);
  const { status, stderr, stdout } = spawnSync(promtool ?? '', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  // Exit code 3 means that promtool only suggests better names. The names of prom-client's own metrics do not count.
  assert.ok(status === 0 || status === 3, `${stdout}${stderr}`);
  const problems = `${stdout}${stderr}`.split('\n').filter((line) => OURS.test(line));
  assert.deepEqual(problems, []);
});

function hasData(answered: readonly Answered[]): boolean {
  return answered.some(({ value }) => !Number.isNaN(value));
}
