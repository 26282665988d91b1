import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bootstrap } from '../registry/bootstrap.js';
import { Registry } from '../registry/registry.js';
import { at, context, SteppedClock } from '../server/cluster.test.support.js';
import { Store } from '../storage/store.js';
import type { ResourceAttributes } from './attributes.js';
import { Authorizer } from './authorizer.js';

const node = { name: 'system:node:n', groups: ['system:nodes', 'system:authenticated'] };
const unrelated = "no relationship found between node 'n' and this object";

function start() {
  const registry = new Registry({ store: new Store(), clock: new SteppedClock() });
  bootstrap(registry);
  const authorizer = new Authorizer(registry.store);
  const decide = (verb: string, resource: string, more: Partial<ResourceAttributes> = {}): true | string => {
    const [plural, group] = resource.split('.').length > 1 ? split(resource) : [resource, ''];
    const base = {
      kind: 'resource',
      user: node,
      verb,
      group,
      resource: plural,
      subresource: '',
      namespace: '',
      name: '',
    };
    const { allowed, reason } = authorizer.decide({ ...base, ...more } as ResourceAttributes);
    return allowed || reason;
  };
  const pod = (name: string, spec: object, metadata: object = {}): void => {
    const containers = [{ name: 'c', image: 'i' }];
    registry
      .builtIn('/v1/pods')
      .create({ metadata: { ...at(name), ...metadata }, spec: { containers, ...spec } }, context);
  };
  return { registry, decide, pod };
}

function split(resource: string): readonly [string, string] {
  const dot = resource.indexOf('.');
  return [resource.slice(0, dot), resource.slice(dot + 1)];
}

describe('the node authorizer', () => {
  test('allows a node to read the Secrets and ConfigMaps of its Pods', () => {
    const { decide, pod } = start();
    pod('own', {
      nodeName: 'n',
      imagePullSecrets: [{ name: 'pull' }],
      volumes: [
        { name: 'a', secret: { secretName: 'volume' } },
        { name: 'b', projected: { sources: [{ secret: { name: 'source' } }, { configMap: { name: 'map' } }] } },
      ],
      containers: [
        {
          name: 'c',
          image: 'i',
          env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 'variable', key: 'k' } } }],
          envFrom: [{ configMapRef: { name: 'variables' } }],
        },
      ],
    });
    pod('other', { nodeName: 'm', volumes: [{ name: 'a', secret: { secretName: 'foreign' } }] });
    const read = (resource: string, name: string) => decide('get', resource, { namespace: 'default', name });
    for (const name of ['pull', 'volume', 'source', 'variable']) assert.equal(read('secrets', name), true, name);
    for (const name of ['map', 'variables']) assert.equal(read('configmaps', name), true, name);
    assert.equal(read('secrets', 'foreign'), unrelated);
    assert.equal(read('secrets', 'map'), unrelated);
    assert.equal(decide('get', 'secrets', { namespace: 'other', name: 'volume' }), unrelated);
    assert.equal(decide('list', 'secrets', { namespace: 'default' }), 'No Object name found');
    assert.equal(decide('watch', 'secrets', { namespace: 'default', fieldSelector: 'metadata.name=pull' }), true);
    assert.equal(
      decide('update', 'secrets', { namespace: 'default', name: 'pull' }),
      'can only read resources of this type',
    );
  });

  test('does not relate mirror Pods to other objects', () => {
    const { decide, pod } = start();
    const annotations = { 'kubernetes.io/config.mirror': 'x' };
    pod('mirror', { nodeName: 'n', volumes: [{ name: 'a', secret: { secretName: 'volume' } }] }, { annotations });
    assert.equal(decide('get', 'secrets', { namespace: 'default', name: 'volume' }), unrelated);
  });

  test('allows a node to read the claims of its Pods, their volumes and the Secrets of these volumes', () => {
    const { registry, decide, pod } = start();
    pod('own', { nodeName: 'n', volumes: [{ name: 'a', persistentVolumeClaim: { claimName: 'data' } }] });
    const secret = (name: string) => ({ name, namespace: 'other' });
    const csi = {
      driver: 'd',
      volumeHandle: 'h',
      nodeStageSecretRef: secret('stage'),
      controllerExpandSecretRef: secret('expand'),
    };
    const spec = {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      claimRef: { namespace: 'default', name: 'data' },
      csi,
    };
    registry.builtIn('/v1/persistentvolumes').create({ metadata: { name: 'v' }, spec }, context);
    assert.equal(decide('get', 'persistentvolumeclaims', { namespace: 'default', name: 'data' }), true);
    assert.equal(decide('get', 'persistentvolumes', { name: 'v' }), true);
    assert.equal(decide('get', 'secrets', { namespace: 'other', name: 'stage' }), true);
    assert.equal(decide('get', 'secrets', { namespace: 'other', name: 'expand' }), unrelated);
    assert.equal(decide('get', 'persistentvolumes', { name: 'w' }), unrelated);
    assert.equal(decide('list', 'persistentvolumes'), 'can only get individual resources of this type');
  });

  test('allows a node to read the Secrets of Azure files in its Pods and volumes', () => {
    const { registry, decide, pod } = start();
    const azureFile = (secretName: string) => ({ secretName, shareName: 's' });
    pod('own', {
      nodeName: 'n',
      volumes: [
        { name: 'a', azureFile: azureFile('pod') },
        { name: 'b', persistentVolumeClaim: { claimName: 'data' } },
      ],
    });
    const spec = {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      claimRef: { namespace: 'default', name: 'data' },
      azureFile: azureFile('volume'),
    };
    registry.builtIn('/v1/persistentvolumes').create({ metadata: { name: 'v' }, spec }, context);
    for (const name of ['pod', 'volume']) assert.equal(decide('get', 'secrets', { namespace: 'default', name }), true);
    assert.equal(decide('get', 'secrets', { namespace: 'other', name: 'volume' }), unrelated);
  });

  test('allows a node to access its own Node, Pods, Lease and CSINode', () => {
    const { decide } = start();
    assert.equal(decide('get', 'nodes', { name: 'n' }), true);
    assert.equal(decide('get', 'nodes', { name: 'm' }), "node 'n' cannot read 'm', only its own Node object");
    assert.equal(decide('list', 'nodes'), "node 'n' cannot read all nodes, only its own Node object");
    assert.equal(decide('delete', 'nodes', { name: 'n' }), '');
    assert.equal(decide('list', 'pods', { fieldSelector: 'spec.nodeName=n' }), true);
    assert.equal(decide('list', 'pods'), 'can only list/watch pods with spec.nodeName field selector');
    assert.equal(decide('update', 'leases.coordination.k8s.io', { namespace: 'kube-node-lease', name: 'n' }), true);
    const foreign = 'can only access node lease with the same name as the requesting node';
    assert.equal(decide('get', 'leases.coordination.k8s.io', { namespace: 'kube-node-lease', name: 'm' }), foreign);
    assert.equal(decide('get', 'csinodes.storage.k8s.io', { name: 'n' }), true);
    assert.equal(decide('create', 'events', { namespace: 'default' }), true);
    assert.equal(decide('create', 'deployments.apps', { namespace: 'default' }), '');
  });

  test('does not apply to users outside of the group system:nodes', () => {
    const { decide } = start();
    assert.equal(decide('get', 'nodes', { name: 'n', user: { name: 'system:node:n', groups: [] } }), '');
    const nameless = { name: 'system:node:', groups: ['system:nodes'] };
    assert.equal(decide('get', 'nodes', { name: 'n', user: nameless }), 'unknown node for user "system:node:"');
  });
});
