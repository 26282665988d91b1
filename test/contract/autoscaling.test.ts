import { contract } from './contract.js';
import type { ContractAnswer, ContractApi } from './contract-api.js';
import type { Json } from './json.js';
import { compareEvents, eventOf, isRolledOut, paths, reasonOf, settled } from './workload-steps.js';

const quiet = { quiet: true };
const periodMs = 15_000;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const shown = { only: ['spec', 'status'] };

const autoscalers = (api: ContractApi): string =>
  `/apis/autoscaling/v2/namespaces/${api.namespace}/horizontalpodautoscalers`;
const resource = (name: string, target: object): object => ({ type: 'Resource', resource: { name, target } });
const utilization = (averageUtilization: number): object => ({ type: 'Utilization', averageUtilization });
const average = (averageValue: string): object => ({ type: 'AverageValue', averageValue });
const value = (text: string): object => ({ type: 'Value', value: text });
const container = (name: string, target: object): object => ({
  type: 'ContainerResource',
  containerResource: { name: 'cpu', container: name, target },
});
const cpu = (percent: number): object => resource('cpu', utilization(percent));

/** Creates a Deployment with Pods that request 100m CPU and 64Mi memory, and waits for its rollout. */
async function rolledOut(api: ContractApi, name: string, { replicas = 2, requests = {} } = {}): Promise<void> {
  const labels = { app: name };
  const resources = { requests: { cpu: '100m', memory: '64Mi', ...requests } };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx:1', resources }] } };
  await api.post(
    paths.apps(api, 'deployments'),
    { metadata: { name }, spec: { replicas, selector: { matchLabels: labels }, template } },
    quiet,
  );
  await settled(api, `${paths.apps(api, 'deployments')}/${name}`, isRolledOut);
}

/** Creates an autoscaler, by default of the Deployment with the same name. */
async function autoscaled(api: ContractApi, name: string, spec: object): Promise<void> {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name };
  await api.post(autoscalers(api), { metadata: { name }, spec: { scaleTargetRef, maxReplicas: 10, ...spec } }, quiet);
}

/** Returns the reason of the last Event of a reconcile, which a real server writes after the status. */
function lastEvent(autoscaler: Json): string | undefined {
  const able = reasonOf(autoscaler, 'AbleToScale') ?? reasonOf(autoscaler, 'AbleToScale', 'False');
  if (able === 'SucceededRescale') return 'SuccessfulRescale';
  if (able === 'FailedGetScale') return able;
  const failed = reasonOf(autoscaler, 'ScalingActive', 'False');
  return failed === undefined || failed === 'ScalingDisabled' ? undefined : 'FailedComputeMetricsReplicas';
}

/** Compares the status and the Events of autoscalers after their first reconcile. The second reconcile follows after 15 s. */
async function compare(api: ContractApi, ...names: readonly string[]): Promise<void> {
  await api.pass(periodMs);
  const isReconciled = ({ body }: ContractAnswer): boolean => (body.status?.conditions ?? []).length > 0;
  for (const name of names) await api.until(`${autoscalers(api)}/${name}`, isReconciled);
  for (const name of names) {
    const { body } = await api.get(`${autoscalers(api)}/${name}`, shown);
    const last = lastEvent(body);
    if (last !== undefined) await eventOf(api, name, last);
    await compareEvents(api, 'HorizontalPodAutoscaler', name);
  }
}

contract(
  'autoscaling',
  { workloads: true, passesTime: true },
  {
    'scales to the minimum and to the maximum without metrics': async (api) => {
      await rolledOut(api, 'few', { replicas: 1 });
      await rolledOut(api, 'many', { replicas: 3 });
      await autoscaled(api, 'few', { minReplicas: 2 });
      await autoscaled(api, 'many', { maxReplicas: 2 });
      await compare(api, 'few', 'many');
      for (const name of ['few', 'many']) {
        await settled(api, `${paths.apps(api, 'deployments')}/${name}`, isRolledOut);
        await api.get(`${paths.apps(api, 'deployments')}/${name}/scale`, { only: ['spec'] });
        await api.get(`${paths.apps(api, 'deployments')}/${name}`, {
          only: ['metadata.managedFields.*.manager', 'metadata.managedFields.*.subresource'],
        });
      }
    },
    'does not scale a target with zero replicas': async (api) => {
      await rolledOut(api, 'web', { replicas: 0 });
      await autoscaled(api, 'web', {});
      await compare(api, 'web');
    },
    'reports that no API serves the metrics of resources': async (api) => {
      const metrics = {
        cpu: cpu(50),
        memory: resource('memory', average('10Mi')),
        container: container('c', utilization(50)),
      };
      for (const [name, metric] of Object.entries(metrics)) {
        await rolledOut(api, name, { replicas: 1 });
        await autoscaled(api, name, { metrics: [metric] });
      }
      await compare(api, ...Object.keys(metrics));
    },
    'reports that no API serves the metrics of Pods, objects and external systems': async (api) => {
      const metric = { name: 'requests', selector: { matchLabels: { b: '1', a: '2' } } };
      const described = (kind: string, name: string, target: object): object => ({
        type: 'Object',
        object: { describedObject: { apiVersion: 'v1', kind, name }, metric: { name: 'requests' }, target },
      });
      const expression = { matchExpressions: [{ key: 'tier', operator: 'In', values: ['a', 'b'] }] };
      const metrics = {
        pods: { type: 'Pods', pods: { metric, target: average('10') } },
        object: described('Service', 'web', value('10')),
        'object-average': described('Service', 'web', average('10')),
        external: { type: 'External', external: { metric, target: value('10') } },
        'external-average': {
          type: 'External',
          external: { metric: { name: 'requests', selector: expression }, target: average('10') },
        },
        'external-all': { type: 'External', external: { metric: { name: 'requests' }, target: average('10') } },
      };
      for (const [name, each] of Object.entries(metrics)) {
        await rolledOut(api, name, { replicas: 1 });
        await autoscaled(api, name, { metrics: [each, ...(name === 'pods' ? [cpu(50)] : [])] });
      }
      await compare(api, ...Object.keys(metrics));
    },
    'reports a scale target that does not exist or has no Scale': async (api) => {
      const targets = {
        missing: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'missing' },
        unscalable: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'web' },
        unknown: { apiVersion: 'apps/v1', kind: 'Unknown', name: 'web' },
        foreign: { apiVersion: 'unknown.example.com/v1', kind: 'Unknown', name: 'web' },
      };
      for (const [name, scaleTargetRef] of Object.entries(targets)) await autoscaled(api, name, { scaleTargetRef });
      await compare(api, ...Object.keys(targets));
    },
    'reports several autoscalers of the same Pods': async (api) => {
      await rolledOut(api, 'web', { replicas: 1 });
      await autoscaled(api, 'web', {});
      await api.pass(periodMs);
      await settled(api, `${autoscalers(api)}/web`, (body) => reasonOf(body, 'AbleToScale') !== undefined);
      await autoscaled(api, 'second', { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } });
      for (let each = 0; each < 2; each += 1) await api.pass(periodMs);
      // The message lists the autoscalers in any order.
      const states = { only: ['status.conditions.*.type', 'status.conditions.*.status', 'status.conditions.*.reason'] };
      await settled(api, `${autoscalers(api)}/second`, (body) => reasonOf(body, 'AbleToScale') !== undefined);
      await api.get(`${autoscalers(api)}/second`, states);
      await settled(
        api,
        `${autoscalers(api)}/web`,
        (body: Json) => reasonOf(body, 'ScalingActive', 'False') === 'AmbiguousSelector',
      );
      await api.get(`${autoscalers(api)}/web`, states);
    },
    'reports a custom target without a selector or without replicas': async (api) => {
      const names = { plural: 'shops', kind: 'Shop' };
      const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
      const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
      const version = { name: 'v1', served: true, storage: true, schema, subresources: { scale } };
      const group = api.group;
      const body = {
        metadata: { name: `shops.${group}` },
        spec: { group, scope: 'Namespaced', names, versions: [version] },
      };
      await api.post(definitions, body, quiet);
      const shops = `/apis/${group}/v1/namespaces/${api.namespace}/shops`;
      await api.until(shops, ({ status }) => status === 200);
      const shop = (name: string, spec: object): object => ({
        apiVersion: `${group}/v1`,
        kind: 'Shop',
        metadata: { name },
        spec,
      });
      await api.post(shops, shop('replicated', { replicas: 2 }), quiet);
      await api.post(shops, shop('empty', {}), quiet);
      for (const name of ['replicated', 'empty']) {
        await autoscaled(api, name, { scaleTargetRef: { apiVersion: `${group}/v1`, kind: 'Shop', name } });
      }
      await compare(api, 'replicated', 'empty');
    },
  },
);

/** Serves metrics of Pods from a CustomResourceDefinition, like an aggregated metrics API. */
async function serveMetrics(api: ContractApi): Promise<void> {
  const names = { plural: 'pods', singular: 'podmetric', kind: 'PodMetrics', listKind: 'PodMetricsList' };
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = [{ name: 'v1beta1', served: true, storage: true, schema }];
  const annotations = { 'api-approved.kubernetes.io': 'unapproved, only for this case' };
  const metadata = { name: 'pods.metrics.k8s.io', annotations };
  await api.post(
    definitions,
    { metadata, spec: { group: 'metrics.k8s.io', scope: 'Namespaced', names, versions } },
    quiet,
  );
  await api.until(metricsOf(api), ({ status }) => status === 200);
}

const metricsOf = (api: ContractApi): string => `/apis/metrics.k8s.io/v1beta1/namespaces/${api.namespace}/pods`;

/** Writes the usage of the Pods of a Deployment, in the order of their names. Pods without a usage have no metrics. */
async function use(api: ContractApi, app: string, usages: readonly object[]): Promise<void> {
  const { body } = await api.get(`${paths.core(api, 'pods')}?labelSelector=app=${app}`, quiet);
  for (const [at, usage] of usages.entries()) {
    const metadata = { name: body.items[at].metadata.name, labels: { app } };
    // A time in the future is after the Pod has become ready.
    const measured = { timestamp: '2126-01-01T00:00:00Z', window: '1s', containers: [{ name: 'c', usage }] };
    const metrics = { apiVersion: 'metrics.k8s.io/v1beta1', kind: 'PodMetrics', metadata, ...measured };
    await api.post(metricsOf(api), metrics, quiet);
  }
}

contract(
  'autoscaling-metrics',
  { workloads: true, passesTime: true },
  {
    // Only one definition can serve the metrics, so one case has all autoscalers.
    'computes the replicas from the metrics of Pods': async (api) => {
      await serveMetrics(api);
      const busy = { cpu: '80m', memory: '48Mi' };
      const both = [busy, { cpu: '90m', memory: '32Mi' }];
      const withoutWindow = { behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } };
      const targets: Readonly<Record<string, object>> = {
        utilization: { metrics: [cpu(50)] },
        tolerated: { metrics: [cpu(80)] },
        intolerant: { metrics: [cpu(80)], behavior: { scaleUp: { tolerance: '0.01' } } },
        average: { metrics: [resource('cpu', average('30m'))] },
        memory: { metrics: [resource('memory', average('10Mi'))] },
        'memory-utilization': { metrics: [resource('memory', utilization(40))] },
        container: { metrics: [container('c', utilization(50))] },
        'other-container': { metrics: [container('other', utilization(50))] },
        several: { metrics: [cpu(50), resource('memory', average('10Mi'))] },
        partial: { metrics: [cpu(50), { type: 'External', external: { metric: { name: 'x' }, target: value('1') } }] },
        rate: { metrics: [cpu(5)] },
        maximum: { metrics: [cpu(50)], maxReplicas: 3 },
        policy: {
          metrics: [cpu(5)],
          behavior: { scaleUp: { policies: [{ type: 'Percent', value: 50, periodSeconds: 60 }] } },
        },
        disabled: { metrics: [cpu(5)], behavior: { scaleUp: { selectPolicy: 'Disabled' } } },
        stabilized: { metrics: [cpu(200)] },
        down: { metrics: [cpu(200)], ...withoutWindow },
        'missing-up': { metrics: [cpu(50)] },
        'missing-down': { metrics: [cpu(200)], ...withoutWindow },
        'no-metrics': { metrics: [cpu(50)] },
        'no-resource': { metrics: [cpu(50)] },
        'no-request': { metrics: [resource('example.com/gpu', utilization(50))] },
      };
      const usages: Readonly<Partial<Record<string, readonly object[]>>> = {
        'missing-up': [busy],
        'missing-down': [busy],
        'no-metrics': [],
        'no-resource': [{ memory: '1Mi' }],
        'no-request': [{ 'example.com/gpu': '1' }, { 'example.com/gpu': '2' }],
      };
      for (const name of Object.keys(targets)) {
        await rolledOut(api, name);
        await use(api, name, usages[name] ?? both);
      }
      for (const [name, spec] of Object.entries(targets)) await autoscaled(api, name, spec);
      await compare(api, ...Object.keys(targets));
    },
  },
);
