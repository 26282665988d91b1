import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { at, type Cluster, context, startCluster, template } from '../../../server/cluster.test.support.js';
import { nodeOf } from './daemon-pod.js';

/** A cluster with nodes and a DaemonSet, whose Pods become ready only when the test reports this. */
interface Bench {
  readonly cluster: Cluster;
  /** Returns the Pods that are not being deleted, as `node image`. */
  readonly pods: () => readonly string[];
  readonly makeReady: () => Promise<void>;
  readonly update: (spec: object) => Promise<void>;
}

async function startDaemonSet(t: TestContext, nodes: readonly string[], spec: object): Promise<Bench> {
  const cluster = startCluster(t, { workloads: ['daemonsets'] });
  const pods = cluster.resource('/v1/pods');
  for (const name of nodes) {
    cluster.resource('/v1/nodes').create({ metadata: { name } }, context);
    // A new Node has the taint not-ready, which no controller of this cluster removes.
    cluster.resource('/v1/nodes').update({ name }, (live: ApiObject) => ({ ...live, spec: {} }), context);
  }
  const sets = cluster.resource('apps/v1/daemonsets');
  const selector = { matchLabels: { app: 'web' } };
  sets.create({ metadata: at('web'), spec: { selector, template: template(), ...spec } }, context);
  await cluster.quiet();
  const active = (): readonly ApiObject[] =>
    pods.list().items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const image = (pod: ApiObject): string => stringAt(objectsAt(pod, 'spec', 'containers')[0], 'image');
  const bench: Bench = {
    cluster,
    pods: () =>
      active()
        .map((pod) => `${nodeOf(pod)} ${image(pod)}`)
        .toSorted(),
    makeReady: async () => {
      const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
      const change = (live: ApiObject) => ({ ...live, status: { phase: 'Running', conditions: [ready] } });
      for (const { metadata } of active()) pods.update(metadata, change, { ...context, subresource: 'status' });
      await cluster.quiet();
    },
    update: async (changed) => {
      sets.update(
        at('web'),
        (live: ApiObject) => ({ ...live, spec: { ...objectAt(live, 'spec'), ...changed } }),
        context,
      );
      await cluster.quiet();
    },
  };
  await bench.makeReady();
  return bench;
}

const newTemplate = { template: template([], { containers: [{ name: 'c', image: 'nginx:2' }] }) };
const surging = { updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } };

test('a DaemonSet with maxSurge replaces the Pods of one node at a time without unavailable Pods', async (t) => {
  const { pods, makeReady, update } = await startDaemonSet(t, ['a', 'b'], surging);
  await update(newTemplate);
  assert.equal(pods().filter((pod) => pod.endsWith('nginx:1')).length, 2);
  assert.equal(pods().filter((pod) => pod.endsWith('nginx:2')).length, 1);
  await makeReady();
  assert.equal(pods().filter((pod) => pod.endsWith('nginx:1')).length, 1);
  await makeReady();
  assert.deepEqual(pods(), ['a nginx:2', 'b nginx:2']);
});

test('a DaemonSet updates the Pod on a node that is no longer selected, because the Pod tolerates the new taint', async (t) => {
  const { cluster, pods, update } = await startDaemonSet(t, ['a'], {});
  const taints = [{ key: 'mine', effect: 'NoSchedule' }];
  cluster.resource('/v1/nodes').update({ name: 'a' }, (live: ApiObject) => ({ ...live, spec: { taints } }), context);
  await cluster.quiet();
  assert.deepEqual(pods(), ['a nginx:1']);
  await update(newTemplate);
  assert.deepEqual(pods(), []);
});

test('a DaemonSet deletes the unscheduled Pod of a deleted node', async (t) => {
  const { cluster, pods } = await startDaemonSet(t, ['a', 'b'], {});
  cluster.resource('/v1/nodes').delete({ name: 'b' }, {}, context);
  await cluster.quiet();
  assert.deepEqual(pods(), ['a nginx:1']);
});

test('the data of a ControllerRevision has sorted keys', async (t) => {
  const { cluster } = await startDaemonSet(t, [], { template: template([], { terminationGracePeriodSeconds: 5 }) });
  const [revision] = cluster.resource('apps/v1/controllerrevisions').list().items;
  const text = JSON.stringify(revision?.['data']);
  const keys = [...text.matchAll(/"([^"]+)":/g)].map(([, key]) => key);
  assert.deepEqual(keys.slice(0, 4), ['spec', 'template', '$patch', 'metadata']);
  const spec = Object.keys(objectAt(revision, 'data', 'spec', 'template', 'spec'));
  assert.deepEqual(spec, spec.toSorted());
});
