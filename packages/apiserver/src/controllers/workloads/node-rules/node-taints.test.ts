import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectsAt } from '../../../registry/objects/json-object.js';
import { context, startCluster, SteppedClock } from '../../../server/cluster.test.support.js';

const prefix = 'node.kubernetes.io/';
const key = { name: 'n' };
const statusContext = { ...context, subresource: 'status' };
const taintsOf = (node: unknown): unknown => objectsAt(node, 'spec', 'taints').map((taint) => ({ ...taint }));
const withConditions = (states: Readonly<Record<string, string>>) => (live: ApiObject) => ({
  ...live,
  status: { conditions: Object.entries(states).map(([type, status]) => ({ type, status })) },
});

test('NodeTaints taints a Node by its conditions and keeps other taints', async (t) => {
  const cluster = startCluster(t, { workloads: ['pods'], clock: new SteppedClock() });
  const nodes = cluster.resource('/v1/nodes');
  const other = { key: `${prefix}not-ready`, effect: 'NoExecute' };
  const created = nodes.create({ metadata: key, spec: { taints: [other] } }, context);
  assert.deepEqual(taintsOf(created), [other, { ...other, effect: 'NoSchedule' }]);
  const taintsFor = async (states: Readonly<Record<string, string>>): Promise<unknown> => {
    nodes.update(key, withConditions(states), statusContext);
    await cluster.quiet();
    return taintsOf(nodes.get(key));
  };
  const added = (name: string): object => ({
    key: `${prefix}${name}`,
    effect: 'NoSchedule',
    timeAdded: '2026-01-01T00:00:00Z',
  });
  assert.deepEqual(await taintsFor({}), [other]);
  assert.deepEqual(await taintsFor({ Ready: 'False' }), [other, added('not-ready')]);
  assert.deepEqual(await taintsFor({ Ready: 'Unknown' }), [other, added('unreachable')]);
  const pressures = { MemoryPressure: 'True', DiskPressure: 'True', PIDPressure: 'True', NetworkUnavailable: 'True' };
  assert.deepEqual(await taintsFor({ Ready: 'True', ...pressures }), [
    other,
    ...['memory-pressure', 'disk-pressure', 'pid-pressure', 'network-unavailable'].map(added),
  ]);
  assert.deepEqual(await taintsFor({ Ready: 'True', MemoryPressure: 'Unknown', DiskPressure: 'False' }), [other]);
});

test('NodeTaints taints an unschedulable Node until the Node is schedulable again', async (t) => {
  const cluster = startCluster(t, { workloads: ['pods'] });
  const nodes = cluster.resource('/v1/nodes');
  const keys = async (unschedulable: boolean): Promise<unknown> => {
    const change = (live: ApiObject): unknown => ({ ...live, spec: { ...(live['spec'] as object), unschedulable } });
    nodes.update({ name: 'embedded' }, change, context);
    await cluster.quiet();
    return objectsAt(nodes.get({ name: 'embedded' }), 'spec', 'taints').map((taint) => taint['key']);
  };
  assert.deepEqual(await keys(true), [`${prefix}unschedulable`]);
  assert.deepEqual(await keys(false), []);
});

test('NodeTaints copies the labels with the operating system and the architecture to the beta labels', async (t) => {
  const cluster = startCluster(t, { workloads: ['pods'] });
  const nodes = cluster.resource('/v1/nodes');
  const labels = { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'arm64', 'beta.kubernetes.io/arch': 'amd64' };
  nodes.create({ metadata: { ...key, labels } }, context);
  await cluster.quiet();
  assert.deepEqual(
    { ...nodes.get(key).metadata.labels },
    {
      ...labels,
      'beta.kubernetes.io/os': 'linux',
      'beta.kubernetes.io/arch': 'arm64',
    },
  );
});
