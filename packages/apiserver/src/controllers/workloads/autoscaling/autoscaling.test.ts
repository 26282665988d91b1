import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { numberAt, objectsAt, stringAt, valueAt } from '../../../registry/objects/json-object.js';
import {
  at,
  type Cluster,
  context,
  startCluster,
  SteppedClock,
  template,
  workload,
} from '../../../server/cluster.test.support.js';
import { resolveNodes } from '../../simulation/node-declaration.js';
import type { PodBehaviour } from '../../simulation/pod-behaviour.js';
import { SimulatedPods } from '../../simulation/simulated-pods.js';

const cpu = { requests: { cpu: '100m' } };
const utilization = (averageUtilization: number): object => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
const external = (name: string, target: object): object => ({
  type: 'External',
  external: { metric: { name }, target },
});

/** Returns a copy with ordinary prototypes, without the fields of the given name. */
const plain = (value: unknown, omitted?: string): unknown =>
  JSON.parse(JSON.stringify(value, (key, each: unknown) => (key === omitted ? undefined : each)));

interface Bench {
  readonly cluster: Cluster;
  readonly simulated: SimulatedPods;
  /** Changes the usage of all Pods. */
  use(behaviour: PodBehaviour): void;
  autoscaler(): ApiObject;
  replicas(): number | undefined;
  /** The conditions as `type status reason`. */
  conditions(): readonly string[];
  /** Advances by the period of the controller, and waits for all work. */
  period(count?: number): Promise<void>;
}

async function startBench(
  t: TestContext,
  spec: object = {},
  options: { readonly replicas?: number; readonly annotations?: object; readonly runsPods?: boolean } = {},
): Promise<Bench> {
  const clock = new SteppedClock();
  const simulated = new SimulatedPods(resolveNodes(1));
  const { replicas = 2, annotations = {}, runsPods = true } = options;
  const others = runsPods ? (['pods', 'replicasets', 'deployments'] as const) : [];
  const workloads = [...others, 'horizontalpodautoscalers'] as const;
  const cluster = startCluster(t, { workloads, clock, simulated });
  const containers = [{ name: 'c', image: 'web:1', resources: cpu }];
  const deployments = cluster.resource('apps/v1/deployments');
  deployments.create(workload({ replicas, template: template([], { containers }) }), context);
  const autoscalers = cluster.resource('autoscaling/v2/horizontalpodautoscalers');
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  autoscalers.create(
    { metadata: { ...at('web'), annotations }, spec: { scaleTargetRef, maxReplicas: 10, ...spec } },
    context,
  );
  await cluster.quiet();
  let forget = (): void => undefined;
  return {
    cluster,
    simulated,
    use: (behaviour) => {
      forget();
      forget = simulated.behave({}, behaviour);
    },
    autoscaler: () => autoscalers.get(at('web')),
    replicas: () => numberAt(deployments.get(at('web')), 'spec', 'replicas'),
    conditions: () =>
      objectsAt(autoscalers.get(at('web')), 'status', 'conditions').map(
        ({ type, status, reason }) => `${String(type)} ${String(status)} ${String(reason)}`,
      ),
    period: async (count = 1) => {
      for (let each = 0; each < count; each += 1) {
        clock.advance(15_000);
        await cluster.quiet();
      }
    },
  };
}

test('an autoscaler adds Pods until the usage reaches the target utilization', async (t) => {
  const bench = await startBench(t, { metrics: [utilization(50)] });
  bench.use({ cpu: '80m' });
  await bench.period();
  assert.equal(bench.replicas(), 4);
  assert.deepEqual(bench.conditions(), [
    'AbleToScale True SucceededRescale',
    'ScalingActive True ValidMetricFound',
    'ScalingLimited False DesiredWithinRange',
  ]);
  assert.deepEqual(plain(valueAt(bench.autoscaler(), 'status'), 'conditions'), {
    lastScaleTime: '2026-01-01T00:00:15Z',
    currentReplicas: 2,
    desiredReplicas: 4,
    currentMetrics: [
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 80, averageValue: '80m' } } },
    ],
  });
  bench.use({ cpu: '45m' });
  await bench.period();
  assert.equal(bench.replicas(), 4, 'the usage is within the tolerance of 10 %');
  assert.deepEqual(
    bench.cluster.eventsOf('web').filter((event) => event.startsWith('Success')),
    ['SuccessfulRescale: New size: 4; reason: cpu resource utilization (percentage of request) above target'],
  );
});

test('an autoscaler removes Pods only when no recommendation of the last 5 minutes is higher', async (t) => {
  const bench = await startBench(t, { metrics: [utilization(50)] }, { replicas: 4 });
  bench.use({ cpu: '25m' });
  await bench.period(20);
  assert.equal(bench.replicas(), 4);
  assert.equal(bench.conditions()[0], 'AbleToScale True ScaleDownStabilized');
  await bench.period();
  assert.equal(bench.replicas(), 2);
  assert.equal(bench.conditions()[0], 'AbleToScale True SucceededRescale');
});

test('an autoscaler does not exceed the scale rate and the maximum number of replicas', async (t) => {
  const bench = await startBench(t, { metrics: [utilization(10)] }, { replicas: 3 });
  bench.use({ cpu: '100m' });
  await bench.period();
  assert.equal(bench.replicas(), 6);
  assert.equal(bench.conditions()[2], 'ScalingLimited True ScaleUpLimit');
  await bench.period();
  assert.equal(bench.replicas(), 10);
  assert.equal(bench.conditions()[2], 'ScalingLimited True TooManyReplicas');
});

test('the policies of a behavior limit the replicas that an autoscaler adds and removes in a period', async (t) => {
  const policies = [{ type: 'Pods', value: 1, periodSeconds: 60 }];
  const behavior = { scaleUp: { policies }, scaleDown: { policies, stabilizationWindowSeconds: 0 } };
  const bench = await startBench(t, { metrics: [utilization(50)], behavior });
  bench.use({ cpu: '100m' });
  await bench.period();
  assert.equal(bench.replicas(), 3);
  await bench.period(3);
  assert.equal(bench.replicas(), 3);
  assert.equal(bench.conditions()[2], 'ScalingLimited True ScaleUpLimit');
  await bench.period();
  assert.equal(bench.replicas(), 4);
  bench.use({ cpu: '10m' });
  await bench.period();
  assert.equal(bench.replicas(), 2, 'the policy also allows to remove the Pod that was added in this period');
  assert.equal(bench.conditions()[2], 'ScalingLimited True ScaleDownLimit');
});

test('a behavior can disable scaling in one direction, and stabilize the other direction', async (t) => {
  const behavior = { scaleUp: { stabilizationWindowSeconds: 30 }, scaleDown: { selectPolicy: 'Disabled' } };
  const bench = await startBench(t, { metrics: [utilization(50)], behavior });
  bench.use({ cpu: '50m' });
  await bench.period();
  bench.use({ cpu: '100m' });
  await bench.period();
  assert.equal(bench.replicas(), 2);
  assert.equal(bench.conditions()[0], 'AbleToScale True ScaleUpStabilized');
  await bench.period(2);
  assert.equal(bench.replicas(), 4);
  bench.use({ cpu: '10m' });
  await bench.period(30);
  assert.equal(bench.replicas(), 4);
  assert.equal(bench.conditions()[2], 'ScalingLimited True ScaleDownLimit');
});

test('the behavior can state other tolerances', async (t) => {
  const bench = await startBench(t, { metrics: [utilization(50)], behavior: { scaleUp: { tolerance: '0.01' } } });
  bench.use({ cpu: '52m' });
  await bench.period();
  assert.equal(bench.replicas(), 3);
});

test('an autoscaler without metrics reports the missing metrics API', async (t) => {
  const bench = await startBench(t, { metrics: [utilization(50)] });
  await bench.period();
  assert.deepEqual(bench.conditions(), [
    'AbleToScale True SucceededGetScale',
    'ScalingActive False FailedGetResourceMetric',
  ]);
  const why =
    'failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: ' +
    'the server could not find the requested resource (get pods.metrics.k8s.io)';
  assert.deepEqual(
    bench.cluster.eventsOf('web').filter((event) => event.startsWith('Failed')),
    [
      `FailedGetResourceMetric: ${why}`,
      `FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${why}`,
    ],
  );
  assert.equal(
    stringAt(objectsAt(bench.autoscaler(), 'status', 'conditions')[1], 'message'),
    `the HPA was unable to compute the replica count: ${why}`,
  );
});

test('annotations state the metrics of Pods, of other objects and of external systems', async (t) => {
  const object = {
    type: 'Object',
    object: {
      describedObject: { apiVersion: 'v1', kind: 'Service', name: 'front' },
      metric: { name: 'requests' },
      target: { type: 'Value', value: '10' },
    },
  };
  const metrics = [object, external('queue', { type: 'AverageValue', averageValue: '5' })];
  const bench = await startBench(t, { metrics }, { annotations: { 'kubewright.dev/metrics': 'queue=40' } });
  const metadata = { ...at('front'), annotations: { 'kubewright.dev/metrics': 'errors=1, requests=15' } };
  bench.cluster.resource('/v1/services').create({ metadata, spec: { ports: [{ port: 80 }] } }, context);
  await bench.period();
  assert.deepEqual(plain(valueAt(bench.autoscaler(), 'status', 'currentMetrics')), [
    {
      type: 'Object',
      object: {
        describedObject: { apiVersion: 'v1', kind: 'Service', name: 'front' },
        metric: { name: 'requests' },
        current: { value: '15' },
      },
    },
    { type: 'External', external: { metric: { name: 'queue' }, current: { averageValue: '20' } } },
  ]);
  assert.equal(
    numberAt(bench.autoscaler(), 'status', 'desiredReplicas'),
    4,
    'the rate limits the external metric to 4',
  );
  assert.equal(bench.conditions()[2], 'ScalingLimited True ScaleUpLimit');
});

test('the condition ScalingActive reports an annotation that is not valid', async (t) => {
  const metrics = [external('queue', { type: 'Value', value: '5' })];
  const bench = await startBench(t, { metrics }, { annotations: { 'kubewright.dev/metrics': 'queue: 40' } });
  await bench.period();
  assert.equal(bench.conditions()[1], 'ScalingActive False FailedGetExternalMetric');
  const message = stringAt(objectsAt(bench.autoscaler(), 'status', 'conditions')[1], 'message');
  assert.match(
    message,
    /annotation kubewright.dev\/metrics of HorizontalPodAutoscaler web is not valid; use names and quantities/,
  );
});

test('if one of two metrics is missing, the other metric only adds Pods', async (t) => {
  const metrics = [utilization(50), external('queue', { type: 'Value', value: '5' })];
  const bench = await startBench(t, { metrics }, { replicas: 3 });
  bench.use({ cpu: '10m' });
  await bench.period();
  assert.equal(bench.replicas(), 3);
  assert.equal(bench.conditions()[1], 'ScalingActive False FailedGetExternalMetric');
  bench.use({ cpu: '100m' });
  await bench.period();
  assert.equal(bench.replicas(), 6);
  assert.equal(bench.conditions()[1], 'ScalingActive True ValidMetricFound');
});

test('two autoscalers of the same Pods do not scale', async (t) => {
  const bench = await startBench(t, { metrics: [utilization(50)] });
  const { spec } = bench.autoscaler() as ApiObject & { readonly spec: object };
  const autoscalers = bench.cluster.resource('autoscaling/v2/horizontalpodautoscalers');
  autoscalers.create({ metadata: at('second'), spec }, context);
  bench.use({ cpu: '100m' });
  await bench.period();
  await bench.period();
  assert.equal(bench.conditions()[1], 'ScalingActive False AmbiguousSelector');
  assert.match(bench.cluster.eventsOf('second').join(), /multiple HPAs: \[default\/second default\/web\]/);
  autoscalers.delete(at('second'), {}, context);
  await bench.period();
  assert.equal(bench.conditions()[1], 'ScalingActive True ValidMetricFound');
});

test('an autoscaler of a target with zero replicas, or outside of its range, does not need metrics', async (t) => {
  const bench = await startBench(t, { minReplicas: 3 }, { replicas: 0, runsPods: false });
  await bench.period();
  assert.equal(bench.conditions()[1], 'ScalingActive False ScalingDisabled');
  const scale = (replicas: number): unknown =>
    bench.cluster
      .resource('apps/v1/deployments')
      .update(at('web'), (live) => ({ ...live, spec: { ...(valueAt(live, 'spec') as object), replicas } }), context);
  scale(1);
  await bench.period();
  assert.equal(bench.replicas(), 3);
  scale(20);
  await bench.period();
  assert.equal(bench.replicas(), 10);
  assert.deepEqual(
    bench.cluster.eventsOf('web').filter((event) => event.startsWith('Success')),
    [
      'SuccessfulRescale: New size: 3; reason: Current number of replicas below Spec.MinReplicas',
      'SuccessfulRescale: New size: 10; reason: Current number of replicas above Spec.MaxReplicas',
    ],
  );
});

test('an autoscaler without a scale target reports the reason', async (t) => {
  const reason = async (reference: object): Promise<string> => {
    const bench = await startBench(t, {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', ...reference },
    });
    await bench.period();
    assert.deepEqual(bench.conditions(), ['AbleToScale False FailedGetScale']);
    return stringAt(objectsAt(bench.autoscaler(), 'status', 'conditions')[0], 'message').replace(
      /^.*current scale: /,
      '',
    );
  };
  assert.equal(await reason({ name: 'missing' }), 'deployments.apps "missing" not found');
  assert.equal(await reason({ kind: 'DaemonSet' }), 'the server could not find the requested resource');
  assert.equal(await reason({ kind: 'Unknown' }), 'no matches for kind "Unknown" in group "apps"');
});
