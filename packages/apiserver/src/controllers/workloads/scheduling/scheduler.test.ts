import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { at, type Cluster, context, startCluster } from '../../../server/cluster.test.support.js';
import { type NodeDeclaration, resolveNodes } from '../../simulation/node-declaration.js';
import { SimulatedPods } from '../../simulation/simulated-pods.js';

const hostname = 'kubernetes.io/hostname';

interface Bench {
  readonly cluster: Cluster;
  create(name: string, spec?: object, labels?: Readonly<Record<string, string>>): Promise<void>;
  /** Returns the node of a Pod, or the message why the Pod is not scheduled. */
  outcome(name: string): string;
}

function startBench(t: TestContext, nodes: readonly NodeDeclaration[]): Bench {
  const simulated = new SimulatedPods(resolveNodes(nodes));
  const cluster = startCluster(t, { workloads: ['pods'], simulated });
  const pods = cluster.resource('/v1/pods');
  return {
    cluster,
    create: async (name, spec = {}, labels = {}) => {
      const containers = [{ name: 'c', image: 'i' }];
      pods.create({ metadata: { ...at(name), labels }, spec: { containers, ...spec } }, context);
      await cluster.quiet();
    },
    outcome: (name) => {
      const pod = pods.get(at(name));
      const why = objectsAt(pod, 'status', 'conditions').find(({ type }) => type === 'PodScheduled');
      return stringAt(pod, 'spec', 'nodeName') || stringAt(why, 'message');
    },
  };
}

/** Returns the message about three nodes. */
const none = (why: string, preemption = '3 Preemption is not helpful for scheduling.'): string =>
  `0/3 nodes are available: ${why}. no new claims to deallocate, preemption: 0/3 nodes are available: ${preemption}`;
const zoned = ['a', 'b', 'c'].map((name) => ({ name, labels: { zone: name === 'c' ? '2' : '1' } }));
const using = (requests: object): object => ({ containers: [{ name: 'c', image: 'i', resources: { requests } }] });
const onPort = (hostPort: number, hostIP?: string): object => ({
  containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80, hostPort, ...(hostIP && { hostIP }) }] }],
});

test('the scheduler counts the reasons of all nodes in its message', async (t) => {
  const taints = [{ key: 'gpu', effect: 'NoSchedule' }] as const;
  const bench = startBench(t, [{ name: 'a', taints }, { name: 'b', capacity: { cpu: '1' } }, { name: 'c' }]);
  const noSchedule = (live: ApiObject): unknown => ({
    ...live,
    spec: { ...objectAt(live, 'spec'), unschedulable: true },
  });
  bench.cluster.resource('/v1/nodes').update({ name: 'c' }, noSchedule, context);
  await bench.create('p', using({ cpu: '2' }));
  const why = '1 Insufficient cpu, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable';
  assert.equal(bench.outcome('p'), none(why));
  await bench.create('tolerant', { ...using({ cpu: '2' }), tolerations: [{ key: 'gpu', operator: 'Exists' }] });
  assert.equal(bench.outcome('tolerant'), 'a');
});

test('a Pod fits on a node with the selected labels, and prefers nodes by the weights of its affinity', async (t) => {
  const bench = startBench(t, zoned);
  await bench.create('selects', { nodeSelector: { zone: '2' } });
  assert.equal(bench.outcome('selects'), 'c');
  const preference = (zone: string, weight: number): object => ({
    weight,
    preference: { matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] },
  });
  const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [preference('1', 1), preference('2', 50)] };
  await bench.create('prefers', { affinity: { nodeAffinity } });
  assert.equal(bench.outcome('prefers'), 'c');
});

test('a Pod avoids taints with the effect PreferNoSchedule', async (t) => {
  const taints = [{ key: 'old', effect: 'PreferNoSchedule' }] as const;
  const bench = startBench(t, [{ name: 'a', taints }, { name: 'b' }]);
  for (const name of ['p', 'q']) {
    await bench.create(name);
    assert.equal(bench.outcome(name), 'b');
  }
});

test('a node has room for its capacity of ephemeral storage, extended resources and Pods', async (t) => {
  const capacity = { 'ephemeral-storage': '10Gi', 'example.com/gpu': '1', pods: '2' };
  const bench = startBench(t, [{ name: 'a', capacity }]);
  const short = async (name: string, requests: object, reason: string): Promise<void> => {
    await bench.create(name, using(requests));
    assert.match(bench.outcome(name), new RegExp(`^0/1 nodes are available: 1 ${reason}\\.`));
  };
  await short('large', { 'ephemeral-storage': '11Gi' }, 'Insufficient ephemeral-storage');
  const limited = { resources: { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } } };
  const containers = [{ name: 'c', image: 'i', ...limited }];
  await bench.create('first', { containers });
  assert.equal(bench.outcome('first'), 'a');
  await bench.create('second', { containers });
  assert.match(bench.outcome('second'), /^0\/1 nodes are available: 1 Insufficient example\.com\/gpu\./);
  await bench.create('third');
  await short('fourth', {}, 'Too many pods');
});

test('one Pod can use a host port for each node and address', async (t) => {
  const bench = startBench(t, [{ name: 'a' }, { name: 'b' }, { name: 'c', labels: { x: 'y' } }]);
  for (const name of ['p', 'q', 'r']) await bench.create(name, onPort(80));
  assert.deepEqual(['p', 'q', 'r'].map((name) => bench.outcome(name)).toSorted(), ['a', 'b', 'c']);
  await bench.create('s', onPort(80));
  const why = "3 node(s) didn't have free ports for the requested pod ports";
  assert.equal(bench.outcome('s'), none(why, '3 No preemption victims found for incoming pod.'));
  for (const address of ['10.0.0.1', '10.0.0.2']) {
    await bench.create(`own-${address.at(-1)}`, { ...onPort(81, address), nodeSelector: { x: 'y' } });
    assert.equal(bench.outcome(`own-${address.at(-1)}`), 'c');
  }
  bench.cluster.resource('/v1/pods').delete(at('p'), {}, context);
  await bench.cluster.quiet();
  assert.equal(bench.outcome('s'), 'a');
});

test('Pods with a topology spread constraint are distributed over the domains', async (t) => {
  const bench = startBench(t, zoned);
  const spread = (topologyKey: string): object => ({
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'web' } } },
    ],
  });
  for (let index = 0; index < 4; index += 1) await bench.create(`p${index}`, spread('zone'), { app: 'web' });
  const zones = [0, 1, 2, 3].map((index) => (bench.outcome(`p${index}`) === 'c' ? '2' : '1'));
  assert.equal(zones.filter((zone) => zone === '1').length, 2);
  await bench.create('none', spread('rack'), { app: 'web' });
  const why = "3 node(s) didn't match pod topology spread constraints (missing required label)";
  assert.equal(bench.outcome('none'), none(why));
  await bench.create('picky', { ...spread('zone'), nodeName: 'c' }, { app: 'web' });
  await bench.create('last', { ...spread('zone'), nodeSelector: { zone: '2' } }, { app: 'web' });
  assert.equal(bench.outcome('last'), 'c');
});

test('Pods that repel each other run on different nodes, and also repel later Pods without an anti-affinity', async (t) => {
  const bench = startBench(t, zoned);
  const terms = [{ topologyKey: hostname, labelSelector: { matchLabels: { app: 'web' } } }];
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } };
  for (const name of ['p', 'q', 'r']) await bench.create(name, { affinity }, { app: 'web' });
  assert.deepEqual(['p', 'q', 'r'].map((name) => bench.outcome(name)).toSorted(), ['a', 'b', 'c']);
  const noVictims = '3 No preemption victims found for incoming pod.';
  await bench.create('s', { affinity }, { app: 'web' });
  assert.equal(bench.outcome('s'), none("3 node(s) didn't match pod anti-affinity rules", noVictims));
  await bench.create('plain', {}, { app: 'web' });
  assert.equal(bench.outcome('plain'), none("3 node(s) didn't satisfy existing pods anti-affinity rules", noVictims));
});

test('a Pod runs in the domain of the Pods that it requires, as soon as such a Pod runs', async (t) => {
  const bench = startBench(t, zoned);
  const terms = (app: string): object => ({
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'zone', labelSelector: { matchLabels: { app } } },
      ],
    },
  });
  await bench.create('web', { affinity: terms('db') }, { app: 'web' });
  assert.equal(bench.outcome('web'), none("3 node(s) didn't match pod affinity rules"));
  await bench.create('db', { nodeSelector: { zone: '2' }, affinity: terms('db') }, { app: 'db' });
  assert.equal(bench.outcome('db'), 'c');
  assert.equal(bench.outcome('web'), 'c');
});

test('a Pod of a DaemonSet reports the nodes that its node affinity excludes', async (t) => {
  const bench = startBench(t, zoned);
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: ['b'] }];
  const nodeSelectorTerms = [{ matchFields }];
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  await bench.create('p', { ...using({ cpu: '2k' }), affinity: { nodeAffinity } });
  assert.equal(bench.outcome('p'), none("1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]"));
});

test('a Pod with a higher priority replaces as few Pods with a lower priority as possible', async (t) => {
  const bench = startBench(t, [{ name: 'a', capacity: { cpu: '4' } }]);
  const classes = bench.cluster.resource('scheduling.k8s.io/v1/priorityclasses');
  classes.create({ metadata: { name: 'high' }, value: 1000 }, context);
  classes.create({ metadata: { name: 'polite' }, value: 1000, preemptionPolicy: 'Never' }, context);
  for (const [name, cpu] of [
    ['small', '1'],
    ['large', '3'],
  ] as const) {
    await bench.create(name, using({ cpu }));
    assert.equal(bench.outcome(name), 'a');
  }
  await bench.create('polite', { ...using({ cpu: '3' }), priorityClassName: 'polite' });
  assert.match(bench.outcome('polite'), /preemption: not eligible due to preemptionPolicy=Never\.$/);
  await bench.create('urgent', { ...using({ cpu: '3' }), priorityClassName: 'high' });
  assert.equal(bench.outcome('urgent'), 'a');
  const pods = bench.cluster.resource('/v1/pods');
  assert.deepEqual(
    pods.list().items.map(({ metadata }) => metadata.name),
    ['polite', 'small', 'urgent'],
  );
  assert.equal(stringAt(pods.get(at('urgent')), 'status', 'nominatedNodeName'), '');
  await bench.create('too-large', { ...using({ cpu: '4' }), priorityClassName: 'high' });
  const helpless = 'preemption: 0/1 nodes are available: 1 Insufficient cpu.';
  assert.ok(bench.outcome('too-large').endsWith(helpless), bench.outcome('too-large'));
});
