import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Steps } from '@kubewright/api/apply';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import {
  aggregated,
  type Aggregated,
  apiServices,
  type Handle,
  sendJson,
} from '../../../server/extension-server.test.support.js';
import { WebhookCallError } from '../../../registry/webhooks/webhook-call-error.js';
import { SimulatedPods } from '../../simulation/simulated-pods.js';
import { AutoscalerMetrics } from './autoscaler-metrics.js';
import { MetricsError } from './pod-metrics.js';

/** Runs steps and their waits. */
async function run<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await value?.();
  }
}

/** Registers group-versions of the extension API server. */
async function register({ client, port, caBundle }: Aggregated, priorities: Readonly<Record<string, number>>) {
  const service = { namespace: 'default', name: 'zoo', port };
  for (const [name, versionPriority] of Object.entries(priorities)) {
    const [version, ...group] = name.split('.');
    const spec = { group: group.join('.'), version, groupPriorityMinimum: 100, versionPriority, service, caBundle };
    await client.post(apiServices, { metadata: { name }, spec });
  }
}

const target = { namespace: 'default', selector: 'app=web', pods: [] };
const autoscaler = { metadata: { name: 'web', namespace: 'default' } } as unknown as ApiObject;
const selector = { matchLabels: { tier: 'a' } };

test('an aggregated API server provides all kinds of metrics to the autoscaler', () => {
  const requests: string[] = [];
  const handle: Handle = (request, response) => {
    requests.push(`${String(request.headers['x-remote-user'])} ${request.url}`);
    const timestamp = '2026-01-01T00:00:00Z';
    const containers = [
      { name: 'c', usage: { cpu: '100m' } },
      { name: 'd', usage: { cpu: '50m' } },
    ];
    const metrics = { metadata: { name: 'web-1' }, timestamp, window: '30s', containers };
    const value = { describedObject: { name: 'web-1' }, timestamp, value: '1500m' };
    sendJson(response, { items: [request.url?.startsWith('/apis/metrics.k8s.io/') === true ? metrics : value] });
  };
  return aggregated(handle, async (setting) => {
    await register(setting, {
      'v1beta1.metrics.k8s.io': 100,
      'v1beta1.custom.metrics.k8s.io': 100,
      'v1beta2.custom.metrics.k8s.io': 200,
      'v1beta1.external.metrics.k8s.io': 100,
    });
    const metrics = new AutoscalerMetrics({ registry: setting.server.registry, simulated: new SimulatedPods() });
    const atMs = Date.parse('2026-01-01T00:00:00Z');
    requests.length = 0;
    const usage = await run(metrics.usage(target, { resource: 'cpu', container: '' }));
    assert.deepEqual([...usage], [['web-1', { value: 150, atMs, windowMs: 30_000 }]]);
    const one = await run(metrics.usage(target, { resource: 'cpu', container: 'd' }));
    assert.equal(one.get('web-1')?.value, 50);
    const ofPods = await run(metrics.ofPods(target, { name: 'requests', selector }));
    assert.deepEqual([...ofPods], [['web-1', { value: 1500, atMs, windowMs: 60_000 }]]);
    const described = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    assert.equal(await run(metrics.ofObject('default', described, { name: 'requests' })), 1500);
    const namespace = { apiVersion: 'v1', kind: 'Namespace', name: 'other' };
    assert.equal(await run(metrics.ofObject('default', namespace, { name: 'requests' })), 1500);
    assert.deepEqual(await run(metrics.external(autoscaler, { name: 'queue', selector })), [1500]);
    const user = 'system:serviceaccount:kube-system:horizontal-pod-autoscaler';
    assert.deepEqual(
      requests.filter((request) => request.startsWith(user)).map((request) => request.slice(user.length + 1)),
      [
        '/apis/metrics.k8s.io/v1beta1/namespaces/default/pods?labelSelector=app%3Dweb',
        '/apis/metrics.k8s.io/v1beta1/namespaces/default/pods?labelSelector=app%3Dweb',
        '/apis/custom.metrics.k8s.io/v1beta2/namespaces/default/pods/*/requests?labelSelector=app%3Dweb&metricLabelSelector=tier%3Da',
        '/apis/custom.metrics.k8s.io/v1beta2/namespaces/default/deployments.apps/web/requests',
        '/apis/custom.metrics.k8s.io/v1beta2/namespaces/default/metrics/requests',
        '/apis/external.metrics.k8s.io/v1beta1/namespaces/default/queue?labelSelector=tier%3Da',
      ],
    );
  });
});

test('the window of resource metrics is a duration of Go, and a value that is not valid is a MetricsError', () => {
  const item = { metadata: { name: 'web-1' }, timestamp: '2026-01-01T00:00:00Z', window: '1m0.5s' };
  let containers = [{ name: 'c', usage: { cpu: '100m' } }];
  let { window } = item;
  const handle: Handle = (_, response) => sendJson(response, { items: [{ ...item, window, containers }] });
  return aggregated(handle, async (setting) => {
    await register(setting, { 'v1beta1.metrics.k8s.io': 100 });
    const metrics = new AutoscalerMetrics({ registry: setting.server.registry, simulated: new SimulatedPods() });
    const usage = () => run(metrics.usage(target, { resource: 'cpu', container: '' }));
    assert.equal((await usage()).get('web-1')?.windowMs, 60_500);
    window = 'soon';
    await assert.rejects(usage(), new MetricsError("the metrics API returned the invalid window 'soon'"));
    containers = [{ name: 'c', usage: { cpu: 'much' } }];
    await assert.rejects(usage(), new MetricsError("the metrics API returned the invalid quantity 'much'"));
  });
});

test('the errors of an aggregated API server explain why the metrics are missing', () => {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'the metric "queue" is unknown' };
  const handle: Handle = (request, response) => {
    response.statusCode = request.url?.includes('/queue') === true ? 404 : 200;
    sendJson(response, response.statusCode === 404 ? status : { items: [] });
  };
  return aggregated(handle, async (setting) => {
    await register(setting, { 'v1beta1.metrics.k8s.io': 100, 'v1beta1.external.metrics.k8s.io': 100 });
    const metrics = new AutoscalerMetrics({ registry: setting.server.registry, simulated: new SimulatedPods() });
    const usage = { resource: 'cpu', container: '' };
    await assert.rejects(
      run(metrics.external(autoscaler, { name: 'queue' })),
      new MetricsError('unable to fetch metrics from external metrics API: the metric "queue" is unknown'),
    );
    await assert.rejects(
      run(metrics.usage(target, usage)),
      new MetricsError('no metrics returned from resource metrics API'),
    );
    setting.extension.closeAllConnections();
    setting.extension.close();
    const unreachable = 'the server is currently unable to handle the request (get pods.metrics.k8s.io)';
    await assert.rejects(run(metrics.usage(target, usage)), (error: MetricsError) => {
      assert.equal(error.message, `unable to fetch metrics from resource metrics API: ${unreachable}`);
      const { cause } = error.cause as MetricsError;
      return cause instanceof WebhookCallError;
    });
  });
});
