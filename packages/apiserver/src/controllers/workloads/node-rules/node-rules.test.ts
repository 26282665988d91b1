import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { at, type Cluster, context, startCluster, SteppedClock } from '../../../server/cluster.test.support.js';
import { conditionOf } from '../../objects/pod-state.js';

const containers = [{ name: 'c', image: 'i' }];
const key = 'mine';
const withTaints = (taints: readonly object[]) => (live: ApiObject) => ({ ...live, spec: { taints } });

function start(
  t: TestContext,
  pods: Readonly<Record<string, readonly object[]>>,
): { cluster: Cluster; clock: SteppedClock } {
  const clock = new SteppedClock();
  const cluster = startCluster(t, { workloads: ['nodes'], clock });
  cluster.resource('/v1/nodes').create({ metadata: { name: 'n' } }, context);
  for (const [name, tolerations] of Object.entries(pods)) {
    const spec = { nodeName: 'n', containers, tolerations };
    cluster.resource('/v1/pods').create({ metadata: at(name), spec }, context);
  }
  return { cluster, clock };
}

test('TaintEviction evicts Pods that do not tolerate a NoExecute taint, at once or after their tolerationSeconds', async (t) => {
  const { cluster, clock } = start(t, {
    none: [],
    always: [{ key, operator: 'Exists', effect: 'NoExecute' }],
    short: [
      { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 },
      { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 600 },
    ],
  });
  const pods = cluster.resource('/v1/pods');
  cluster.resource('/v1/nodes').update({ name: 'n' }, withTaints([{ key, effect: 'NoExecute' }]), context);
  await cluster.quiet();
  const left = (): readonly string[] =>
    pods
      .list()
      .items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata }) => metadata.name);
  assert.deepEqual(left(), ['always', 'short']);
  assert.deepEqual(cluster.eventsOf('none'), ['TaintManagerEviction: Marking for deletion Pod default/none']);
  clock.advance(59_000);
  await cluster.quiet();
  assert.deepEqual(left(), ['always', 'short']);
  clock.advance(1_000);
  await cluster.quiet();
  assert.deepEqual(left(), ['always']);
});

test('TaintEviction sets the condition DisruptionTarget of an evicted Pod', async (t) => {
  const { cluster } = start(t, {});
  const pods = cluster.resource('/v1/pods');
  const metadata = { ...at('held'), finalizers: ['example.com/wait'] };
  pods.create({ metadata, spec: { nodeName: 'n', containers } }, context);
  cluster.resource('/v1/nodes').update({ name: 'n' }, withTaints([{ key, effect: 'NoExecute' }]), context);
  await cluster.quiet();
  const condition = conditionOf(pods.get(at('held')), 'DisruptionTarget');
  assert.deepEqual([condition?.['status'], condition?.['reason']], ['True', 'DeletionByTaintManager']);
});

test('TaintEviction cancels the eviction of a Pod when the taint is removed', async (t) => {
  const { cluster, clock } = start(t, {
    short: [{ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }],
  });
  const nodes = cluster.resource('/v1/nodes');
  nodes.update({ name: 'n' }, withTaints([{ key, effect: 'NoExecute' }]), context);
  await cluster.quiet();
  nodes.update({ name: 'n' }, withTaints([]), context);
  await cluster.quiet();
  clock.advance(120_000);
  await cluster.quiet();
  assert.ok(cluster.resource('/v1/pods').find(at('short')));
  assert.deepEqual(cluster.eventsOf('short'), ['TaintManagerEviction: Cancelling deletion of Pod default/short']);
});

test('NodeTtl annotates nodes with a time that grows with the number of nodes', async (t) => {
  const cluster = startCluster(t, { workloads: ['nodes'] });
  const nodes = cluster.resource('/v1/nodes');
  const ttl = (): string | undefined =>
    nodes.get({ name: 'n1' }).metadata.annotations?.['node.alpha.kubernetes.io/ttl'];
  for (let at_ = 1; at_ <= 100; at_ += 1) nodes.create({ metadata: { name: `n${at_}` } }, context);
  await cluster.quiet();
  assert.equal(ttl(), '0');
  nodes.create({ metadata: { name: 'n101' } }, context);
  await cluster.quiet();
  assert.equal(ttl(), '15');
  for (let at_ = 101; at_ >= 90; at_ -= 1) nodes.delete({ name: `n${at_}` }, {}, context);
  await cluster.quiet();
  assert.equal(ttl(), '0');
});
