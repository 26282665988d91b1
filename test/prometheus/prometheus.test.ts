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
  program === undefined ? { skip: 'there is no Prometheus here: run node scripts/install-prometheus.mjs' } : {};
/** What a dashboard sets. */
const VARIABLES = { job: 'foo-metrics', namespace: 'foo-system', pod: 'foo-controller-manager-0' } as const;
/** What the operator has done for the ten objects. */
const RECONCILED = 'sum(controller_runtime_reconcile_total{controller="sample-controller",result="success"})';
const OURS = /^(controller_runtime|workqueue|rest_client|leader_election|certwatcher|kubewright)_/;

/** The example's operator at work on the embedded server, with its metrics served. */
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
/** Metrics of the author's own, in prom-client's global registry. */
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
/** Resolves when the last of so many scrapes begins: what those before it brought is stored then. */
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
  'the queries of published dashboards and alerts give data for an operator of ours, unchanged',
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
    /** What there is no data for yet, or too little, and the rules that were not evaluated well. */
    const missing = async (): Promise<readonly string[]> => {
      const rules = await scraper.rules();
      const left = ALERTS.filter(({ alert }) => rules.get(alert)?.health !== 'ok').map(({ alert }) => `rule ${alert}`);
      for (const { name, query } of named) if (!hasData(await scraper.query(query))) left.push(`${name}: ${query}`);
      const [done] = await scraper.query(RECONCILED);
      if ((done?.value ?? 0) < 10) left.push(`${RECONCILED}: ${done?.value}`);
      return left;
    };
    // A scrape that takes longer than it may brings nothing.
    for (let scrape = 0; scrape < 40 && (await missing()).length > 0; scrape++) await scrapes(manager, 1);
    assert.deepEqual(await missing(), [], `no data; ${(await scraper.problems()).join(', ')}`);
  },
);

test('promtool finds nothing wrong with any metric of ours', skip(promtool), async () => {
  await using env = await TestEnvironment.start({ kinds: [Foo] });
  const manager = await operator(env);
  await createFoos(env, 0);
  const text = await manager.metrics.text();
  parseMetrics(text);
  const { status, stderr, stdout } = spawnSync(promtool ?? '', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  // 3 says that something could be named better; what prom-client names is not ours.
  assert.ok(status === 0 || status === 3, `${stdout}${stderr}`);
  const problems = `${stdout}${stderr}`.split('\n').filter((line) => OURS.test(line));
  assert.deepEqual(problems, []);
});

function hasData(answered: readonly Answered[]): boolean {
  return answered.some(({ value }) => !Number.isNaN(value));
}
