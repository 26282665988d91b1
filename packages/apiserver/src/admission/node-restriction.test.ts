import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@kubewright/api/errors';
import { Authorizer } from '../authorization/authorizer.js';
import { bootstrap } from '../registry/bootstrap.js';
import type { ApiObject } from '../registry/objects/api-object.js';
import { Registry } from '../registry/registry.js';
import { Store } from '../storage/store.js';
import { at, context, SteppedClock } from '../server/cluster.test.support.js';
import { nodeRestriction } from './node-restriction.js';

const kubelet = { ...context, user: { name: 'system:node:n', groups: ['system:nodes'] } };

function start() {
  const store = new Store();
  const registry = new Registry({
    store,
    clock: new SteppedClock(),
    admission: [nodeRestriction(new Authorizer(store))],
  });
  bootstrap(registry);
  return { nodes: registry.builtIn('/v1/nodes'), pods: registry.builtIn('/v1/pods'), registry };
}

function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof ApiError && error.body.code === 403);
    return error.message;
  }
  return '';
}

test('a kubelet can only write its own Node, but not the taints and restricted labels of this Node', () => {
  const { nodes } = start();
  nodes.create({ metadata: { name: 'n', labels: { 'kubernetes.io/os': 'linux' } } }, kubelet);
  const change = (fields: object) => () =>
    nodes.update({ name: 'n' }, (live: ApiObject) => ({ ...live, ...fields }), kubelet);
  assert.equal(refusalOf(change({ metadata: { name: 'n', labels: { mine: 'v', 'kubernetes.io/os': 'linux' } } })), '');
  assert.match(
    refusalOf(change({ spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } })),
    /not allowed to modify taints/,
  );
  const labels = { 'x.node-restriction.kubernetes.io/a': 'v', 'odd.k8s.io/b': 'v' };
  assert.match(
    refusalOf(change({ metadata: { name: 'n', labels } })),
    /is not allowed to modify labels: odd\.k8s\.io\/b, x\.node-restriction\.kubernetes\.io\/a$/,
  );
  assert.match(
    refusalOf(() => nodes.create({ metadata: { name: 'm' } }, kubelet)),
    /node "n" is not allowed to modify node "m"/,
  );
  assert.match(
    refusalOf(() => nodes.create({ metadata: { name: 'n', labels } }, kubelet)),
    /node "n" is not allowed to set the following labels/,
  );
});

test('a kubelet can only create mirror Pods, and only delete and update Pods on its node', () => {
  const { pods, nodes } = start();
  const { uid } = nodes.create({ metadata: { name: 'n' } }, context).metadata;
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
  assert.match(
    refusalOf(() => pods.create({ metadata: at('plain'), spec }, kubelet)),
    /pod does not have "kubernetes.io\/config.mirror" annotation, node "n" can only create mirror pods/,
  );
  const annotations = { 'kubernetes.io/config.mirror': 'x' };
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid, controller: true };
  const mirror = (ownerReferences: readonly object[]) => () =>
    pods.create({ metadata: { ...at('mirror'), annotations, ownerReferences }, spec }, kubelet);
  assert.match(refusalOf(mirror([])), /can only create pods with an owner reference set to itself/);
  assert.equal(refusalOf(mirror([owner])), '');
  pods.create({ metadata: at('foreign'), spec: { ...spec, nodeName: 'm' } }, context);
  pods.create({ metadata: at('own'), spec }, context);
  const status = (name: string) => () => {
    const change = (live: ApiObject) => ({ ...live, status: { phase: 'Running' } });
    pods.update(at(name), change, { ...kubelet, subresource: 'status' });
  };
  assert.equal(refusalOf(status('own')), '');
  assert.match(refusalOf(status('foreign')), /can only update pod status for pods with spec.nodeName set to itself/);
  assert.match(
    refusalOf(() => pods.delete(at('foreign'), {}, kubelet)),
    /can only delete pods with spec.nodeName set/,
  );
  assert.equal(
    refusalOf(() => pods.delete(at('own'), {}, kubelet)),
    '',
  );
});
