import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { finish } from '@kubewright/api/apply';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { stringAt } from '../../../registry/objects/json-object.js';
import { at, type Cluster, context, startCluster, SteppedClock } from '../../../server/cluster.test.support.js';
import { conditionOf } from '../../objects/pod-state.js';
import { SimulatedPods } from '../../simulation/simulated-pods.js';
import { EventRecorder } from '../../work/event-recorder.js';
import { ObjectIndex } from '../../work/object-index.js';
import { PodGarbageCollector } from './pod-garbage-collector.js';

const containers = [{ name: 'c', image: 'i' }];
const held = ['example.com/wait'];

function start(t: TestContext): { readonly cluster: Cluster; readonly clock: SteppedClock } {
  const clock = new SteppedClock();
  const cluster = startCluster(t, { workloads: ['pods'], clock });
  cluster.resource('/v1/nodes').create({ metadata: { name: 'n' } }, context);
  return { cluster, clock };
}

function makePod(cluster: Cluster, name: string, options: { spec?: object; finalizers?: string[] } = {}): void {
  const { spec = {}, finalizers = [] } = options;
  const metadata = { ...at(name), finalizers };
  cluster.resource('/v1/pods').create({ metadata, spec: { containers, ...spec } }, context);
}

test('PodGarbageCollector deletes the Pods of a node that is missing for 40 s, and sets the condition DisruptionTarget', async (t) => {
  const { cluster, clock } = start(t);
  const pods = cluster.resource('/v1/pods');
  makePod(cluster, 'plain', { spec: { nodeName: 'n' } });
  makePod(cluster, 'held', { spec: { nodeName: 'n' }, finalizers: held });
  cluster.resource('/v1/nodes').delete({ name: 'n' }, {}, context);
  await cluster.quiet();
  clock.advance(39_000);
  await cluster.quiet();
  assert.equal(pods.list().items.length, 2);
  clock.advance(1_000);
  await cluster.quiet();
  assert.equal(pods.find(at('plain')), undefined);
  const left = pods.get(at('held'));
  const condition = conditionOf(left, 'DisruptionTarget');
  assert.equal(stringAt(left, 'status', 'phase'), 'Failed');
  assert.deepEqual(
    [condition?.['status'], condition?.['reason'], condition?.['message']],
    ['True', 'DeletionByPodGC', 'PodGC: node no longer exists'],
  );
  assert.equal(left.metadata.deletionGracePeriodSeconds, 0);
});

test('PodGarbageCollector keeps the Pods of a node that is recreated within 40 s', async (t) => {
  const { cluster, clock } = start(t);
  makePod(cluster, 'plain', { spec: { nodeName: 'n' } });
  cluster.resource('/v1/nodes').delete({ name: 'n' }, {}, context);
  await cluster.quiet();
  clock.advance(30_000);
  cluster.resource('/v1/nodes').create({ metadata: { name: 'n' } }, context);
  await cluster.quiet();
  clock.advance(30_000);
  await cluster.quiet();
  assert.ok(cluster.resource('/v1/pods').find(at('plain')));
});

test('PodGarbageCollector deletes a Pod on a node that never existed after the quarantine, and quarantines the node again', async (t) => {
  const { cluster, clock } = start(t);
  const pods = cluster.resource('/v1/pods');
  for (const name of ['first', 'second']) {
    makePod(cluster, name, { spec: { nodeName: 'nowhere' } });
    await cluster.quiet();
    clock.advance(39_000);
    await cluster.quiet();
    assert.ok(pods.find(at(name)));
    clock.advance(1_000);
    await cluster.quiet();
    assert.equal(pods.find(at(name)), undefined);
  }
});

test('PodGarbageCollector fails a terminating Pod without a node', async (t) => {
  const { cluster } = start(t);
  makePod(cluster, 'held', { spec: { nodeSelector: { no: 'node' } }, finalizers: held });
  await cluster.quiet();
  cluster.resource('/v1/pods').delete(at('held'), {}, context);
  await cluster.quiet();
  const left = cluster.resource('/v1/pods').get(at('held'));
  assert.equal(stringAt(left, 'status', 'phase'), 'Failed');
  assert.equal(conditionOf(left, 'DisruptionTarget'), undefined);
});

test('PodGarbageCollector deletes terminating Pods on a node that is not ready and out of service', async (t) => {
  const { cluster } = start(t);
  const [pods, nodes] = [cluster.resource('/v1/pods'), cluster.resource('/v1/nodes')];
  for (const name of ['before', 'after', 'kept']) makePod(cluster, name, { spec: { nodeName: 'n' } });
  const names = (): readonly string[] => pods.list().items.map(({ metadata }) => metadata.name);
  pods.delete(at('before'), {}, context);
  await cluster.quiet();
  assert.deepEqual(names(), ['after', 'before', 'kept']);
  const taints = [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoSchedule' }];
  nodes.update({ name: 'n' }, (live) => ({ ...live, spec: { taints } }), context);
  await cluster.quiet();
  assert.deepEqual(names(), ['after', 'kept']);
  pods.delete(at('after'), {}, context);
  await cluster.quiet();
  assert.deepEqual(names(), ['kept']);
  const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
  const statusContext = { ...context, subresource: 'status' };
  nodes.update({ name: 'n' }, (live) => ({ ...live, status: ready }), statusContext);
  pods.delete(at('kept'), {}, context);
  await cluster.quiet();
  assert.deepEqual(names(), ['kept']);
});

test('PodGarbageCollector deletes finished Pods beyond the limit: first evicted Pods, then the oldest', (t) => {
  const clock = new SteppedClock();
  const cluster = startCluster(t, { clock });
  const { registry } = cluster;
  const pods = cluster.resource('/v1/pods');
  const index = new ObjectIndex();
  const setting = { registry, index, events: new EventRecorder(registry), simulated: new SimulatedPods() };
  const collector = new PodGarbageCollector(setting, { keptPods: 2 });
  const queued = new Map<string, number>();
  const queue = {
    add: (key: string) => void queued.set(key, 0),
    addAfter: (key: string, delayMs: number) => void queued.set(key, delayMs),
  };
  const endWith = (name: string, status: object): void => {
    clock.advance(1_000);
    pods.create({ metadata: at(name), spec: { nodeName: 'n', containers } }, context);
    const statusContext = { ...context, subresource: 'status' };
    const object = pods.update(at(name), (live) => ({ ...live, status }), statusContext);
    index.observe({ type: 'ADDED', bucket: '/pods', object });
    collector.observe({ type: 'ADDED', bucket: '/pods', object }, queue);
  };
  collector.observe({ type: 'ADDED', bucket: '/nodes', object: { metadata: { name: 'n' } } as ApiObject }, queue);
  endWith('oldest', { phase: 'Succeeded' });
  endWith('older', { phase: 'Failed' });
  assert.deepEqual([...queued], []);
  endWith('newer', { phase: 'Succeeded' });
  endWith('evicted', { phase: 'Failed', reason: 'Evicted' });
  endWith('runs', { phase: 'Running' });
  assert.deepEqual([...queued], [['*', 20_000]]);
  queued.clear();
  finish(collector.sync('*', queue));
  assert.deepEqual([...queued.keys()], ['default/evicted', 'default/oldest']);
  for (const key of queued.keys()) finish(collector.sync(key, queue));
  assert.deepEqual(
    pods.list().items.map(({ metadata }) => metadata.name),
    ['newer', 'older', 'runs'],
  );
});
