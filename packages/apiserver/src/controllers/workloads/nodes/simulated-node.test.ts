import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { bootstrap } from '../../../registry/bootstrap.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { Registry } from '../../../registry/registry.js';
import { startCluster } from '../../../server/cluster.test.support.js';
import { Store } from '../../../storage/store.js';
import { conditionOf } from '../../objects/pod-state.js';
import { type Nodes, resolveNodes } from '../../simulation/node-declaration.js';
import { SimulatedPods } from '../../simulation/simulated-pods.js';
import { addressOf, registerNodes } from './simulated-node.js';

test('a node has the labels, addresses, resources and conditions of a kubelet', () => {
  const registry = new Registry({ store: new Store(), clock: new SystemClock() });
  bootstrap(registry);
  const taints = [{ key: 'a', effect: 'NoExecute' }] as const;
  const simulated = new SimulatedPods(resolveNodes([{ labels: { disk: 'ssd' }, taints, capacity: { cpu: '4' } }, {}]));
  registerNodes({ registry, simulated });
  const [first, second] = registry.builtIn('/v1/nodes').list().items;
  assert.ok(first !== undefined && second !== undefined);
  const { 'kubernetes.io/arch': arch, ...labels } = first.metadata.labels ?? {};
  assert.match(arch ?? '', /^(amd64|arm64|\w+)$/);
  assert.deepEqual(labels, {
    'beta.kubernetes.io/arch': arch,
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/hostname': 'embedded',
    'kubernetes.io/os': 'linux',
    disk: 'ssd',
  });
  assert.deepEqual(objectsAt(first, 'spec', 'taints'), taints);
  const capacity = { cpu: '4', memory: '1Ti', pods: '1M', 'ephemeral-storage': '1Ti' };
  assert.deepEqual(objectAt(first, 'status', 'capacity'), capacity);
  assert.deepEqual([addressOf(first), addressOf(second)], ['10.0.2.15', '10.0.2.16']);
  assert.equal(second.metadata.name, 'embedded-2');
  assert.equal(stringAt(first, 'status', 'nodeInfo', 'architecture'), arch);
  const states = objectsAt(first, 'status', 'conditions').map(({ type, status }) => `${type} ${status}`);
  assert.deepEqual(states, ['MemoryPressure False', 'DiskPressure False', 'PIDPressure False', 'Ready True']);
});

test('a stored node becomes unreachable when it is no longer declared, and ready when it is declared again', () => {
  const registry = new Registry({ store: new Store(), clock: new SystemClock() });
  bootstrap(registry);
  const state = (nodes: Nodes): unknown => {
    registerNodes({ registry, simulated: new SimulatedPods(resolveNodes(nodes)) });
    return conditionOf(registry.builtIn('/v1/nodes').get({ name: 'embedded-2' }), 'Ready')?.['status'];
  };
  assert.equal(state(2), 'True');
  assert.equal(state(1), 'Unknown');
  assert.equal(state(2), 'True');
});

test('each node has a Lease that the node owns', async (t) => {
  const cluster = startCluster(t, { workloads: ['pods'], simulated: new SimulatedPods(resolveNodes(2)) });
  await cluster.quiet();
  const leases = cluster.resource('coordination.k8s.io/v1/leases').list({ namespace: 'kube-node-lease' }).items;
  assert.deepEqual(
    leases.map(({ metadata, ...lease }) => [
      metadata.name,
      metadata.ownerReferences?.[0]?.kind,
      stringAt(lease, 'spec', 'holderIdentity'),
      objectAt(lease, 'spec')['leaseDurationSeconds'],
    ]),
    [
      ['embedded', 'Node', 'embedded', 40],
      ['embedded-2', 'Node', 'embedded-2', 40],
    ],
  );
});

test('resolveNodes rejects nodes that are not valid, and names the valid choices', () => {
  for (const [nodes, message] of [
    [0, 'nodes is 0; use an integer from 1 to 1000, or a list of nodes'],
    [[], 'nodes is []; use a list of at least one node'],
    [[{ label: {} }], 'unknown field nodes[0].label; use capacity, labels, name, taints'],
    [[{ name: 'A' }], "nodes[0].name is 'A'; use a DNS subdomain, such as node-1"],
    [[{ name: 'a' }, { name: 'a' }], "nodes[1].name is 'a'; use a name that no other node has"],
    [[{ labels: { 'a b': 'c' } }], "nodes[0].labels.a b is 'c'; use a label, such as disk: ssd"],
    [[{ capacity: { cpu: 'many' } }], "nodes[0].capacity.cpu is 'many'; use a quantity, such as '4Gi'"],
    [
      [{ taints: [{ key: 'a', effect: 'Never' }] }],
      "nodes[0].taints[0].effect is 'Never'; use NoSchedule, PreferNoSchedule, NoExecute",
    ],
  ] as const) {
    const expected = { code: 'INVALID_OPTION', message: `cannot simulate nodes: ${message}` };
    assert.throws(() => resolveNodes(nodes as unknown as Nodes), expected);
  }
});
