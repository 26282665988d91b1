import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { finish, type Steps } from '@kubewright/api/apply';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { numberAt, objectAt } from '../../registry/objects/json-object.js';
import { at, type Cluster, context, startCluster, template, workload } from '../../server/cluster.test.support.js';
import { SimulatedPods } from '../simulation/simulated-pods.js';
import type { Controller, ControllerSetting } from '../work/controller.js';
import { EventRecorder } from '../work/event-recorder.js';
import { ObjectIndex } from '../work/object-index.js';
import { ResourceFeed } from '../work/resource-feed.js';
import { DaemonSetController } from './daemon-sets/daemon-set-controller.js';
import { StatefulSetController } from './stateful-sets/stateful-set-controller.js';

const key = 'default/web';
const nothing = { add: () => undefined, addAfter: () => undefined };
const parallel = { serviceName: 'web', podManagementPolicy: 'Parallel' };
const withSpec =
  (spec: object) =>
  (live: ApiObject): unknown => ({ ...live, spec: { ...objectAt(live, 'spec'), ...spec } });
const withLabels =
  (change: (labels: Readonly<Record<string, string>>) => object) =>
  (live: ApiObject): unknown => ({
    ...live,
    metadata: { ...live.metadata, labels: change(live.metadata.labels ?? {}) },
  });

interface Bench {
  readonly cluster: Cluster;
  /** The keys that the controller has queued, in order. */
  readonly queued: string[];
  readonly sync: () => Steps<void>;
  readonly pods: () => readonly ApiObject[];
}

/** Starts a cluster in which only the test runs the controller. */
function startBench(t: TestContext, Made: new (setting: ControllerSetting) => Controller): Bench {
  const cluster = startCluster(t);
  const { registry } = cluster;
  const index = new ObjectIndex();
  const controller = new Made({ registry, index, events: new EventRecorder(registry), simulated: new SimulatedPods() });
  const queued: string[] = [];
  const feed = new ResourceFeed(registry);
  feed.on((event) => index.observe(event));
  feed.on((event) => controller.observe(event, { ...nothing, add: (added) => void queued.push(added) }));
  feed.start();
  t.after(() => feed.stop());
  return {
    cluster,
    queued,
    sync: function* () {
      yield* controller.sync(key, nothing) ?? [];
    },
    pods: () => cluster.resource('/v1/pods').list().items,
  };
}

/** Runs the steps until the condition holds. */
function runUntil(steps: Steps<void>, condition: () => boolean): void {
  while (!condition()) assert.equal(steps.next().done, false);
}

function addNode({ cluster }: Bench): void {
  cluster.resource('/v1/nodes').create({ metadata: { name: 'a' } }, context);
  cluster.resource('/v1/nodes').update({ name: 'a' }, (live) => ({ ...live, spec: {} }), context);
}

test('a sync creates 50 Pods of a parallel StatefulSet with 1,000,000 replicas, one Pod per step', (t) => {
  const bench = startBench(t, StatefulSetController);
  const { cluster, queued, sync, pods } = bench;
  cluster.resource('apps/v1/statefulsets').create(workload({ ...parallel, replicas: 1_000_000 }), context);
  const steps = sync();
  for (let count = 0; steps.next().done !== true; count = pods().length) assert.ok(pods().length - count <= 1);
  assert.equal(pods().length, 50);
  // The last Pod queues the set again after the first sync has removed the key from the queue.
  assert.equal(queued.at(-1), key);
  finish(sync());
  assert.equal(pods().length, 100);
});

test('deletes surplus Pods of a large parallel StatefulSet while other Pods are missing', (t) => {
  const { cluster, sync, pods } = startBench(t, StatefulSetController);
  const sets = cluster.resource('apps/v1/statefulsets');
  sets.create(workload({ ...parallel, replicas: 1 }), context);
  finish(sync());
  sets.update(at('web'), withSpec({ replicas: 1_000_000, ordinals: { start: 1 } }), context);
  finish(sync());
  assert.equal(pods().length, 50);
  assert.equal(cluster.resource('/v1/pods').find(at('web-0')), undefined);
});

test('Pods that wait for the deletion of their claims do not block other Pods of a parallel StatefulSet', (t) => {
  const { cluster, sync, pods } = startBench(t, StatefulSetController);
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  for (let ordinal = 0; ordinal < 60; ordinal += 1) {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: `web-${ordinal}`, uid: 'earlier' }];
    const metadata = { ...at(`data-web-${ordinal}`), ownerReferences };
    cluster.resource('/v1/persistentvolumeclaims').create({ metadata, spec: claim }, context);
  }
  const set = workload({
    ...parallel,
    replicas: 61,
    persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' },
    volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
  });
  cluster.resource('apps/v1/statefulsets').create(set, context);
  // The garbage collector does not run in this turn of the event loop, so the claims remain.
  finish(sync());
  assert.deepEqual(
    pods().map(({ metadata }) => metadata.name),
    ['web-60'],
  );
});

test('a StatefulSet does not remove Pod labels that a client adds while the controller restores the index label', (t) => {
  const index = 'apps.kubernetes.io/pod-index';
  const { cluster, sync } = startBench(t, StatefulSetController);
  const resource = cluster.resource('/v1/pods');
  cluster.resource('apps/v1/statefulsets').create(workload({ ...parallel, replicas: 1 }), context);
  finish(sync());
  for (let after = 1, isDone = false; !isDone; after += 1) {
    const strip = withLabels((labels) => ({ ...labels, [index]: 'none' }));
    resource.update(at('web-0'), strip, context);
    const steps = sync();
    for (let step = 0; step < after && !isDone; step += 1) isDone = steps.next().done === true;
    const change = withLabels((labels) => ({ ...labels, step: String(after) }));
    resource.update(at('web-0'), change, context);
    finish(steps);
    const { labels } = resource.get(at('web-0')).metadata;
    assert.deepEqual([labels?.[index], labels?.['step']], ['0', String(after)]);
  }
});

for (const [plural, Made] of [
  ['statefulsets', StatefulSetController],
  ['daemonsets', DaemonSetController],
] as const) {
  const { replicas: _, ...spec } = objectAt(workload(), 'spec');
  const body = { ...workload(), spec: plural === 'statefulsets' ? { ...spec, ...parallel } : spec };

  test(`observedGeneration of ${plural} is the generation that the controller has read`, (t) => {
    const bench = startBench(t, Made);
    const sets = bench.cluster.resource(`apps/v1/${plural}`);
    addNode(bench);
    sets.create(body, context);
    const steps = bench.sync();
    runUntil(steps, () => bench.pods().length > 0);
    sets.update(at('web'), withSpec({ template: template(['true']) }), context);
    finish(steps);
    assert.equal(numberAt(sets.get(at('web')), 'status', 'observedGeneration'), 1);
    finish(bench.sync());
    assert.equal(numberAt(sets.get(at('web')), 'status', 'observedGeneration'), 2);
  });

  test(`the controller of ${plural} does not write the status of a deleted object to its replacement`, (t) => {
    const bench = startBench(t, Made);
    const sets = bench.cluster.resource(`apps/v1/${plural}`);
    addNode(bench);
    sets.create(body, context);
    const steps = bench.sync();
    runUntil(steps, () => bench.pods().length > 0);
    sets.delete(at('web'), { propagationPolicy: 'Background' }, context);
    sets.create(body, context);
    finish(steps);
    assert.equal(numberAt(sets.get(at('web')), 'status', 'observedGeneration') ?? 0, 0);
  });
}

test('a DaemonSet replaces Pods of an old template while clients write other objects', (t) => {
  const bench = startBench(t, DaemonSetController);
  const { cluster, sync, pods } = bench;
  const sets = cluster.resource('apps/v1/daemonsets');
  addNode(bench);
  sets.create(workload(), context);
  finish(sync());
  assert.equal(pods().length, 1);
  sets.update(at('web'), withSpec({ template: template(['true']) }), context);
  const steps = sync();
  for (let step = 0; steps.next().done !== true; step += 1) {
    cluster.resource('/v1/configmaps').create({ metadata: at(`c${step}`) }, context);
  }
  assert.deepEqual(pods(), []);
});
