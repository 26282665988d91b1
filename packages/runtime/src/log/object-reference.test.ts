import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamicKind } from '@kubewright/api';
import { ConfigMap, Node } from '@kubewright/api/core/v1';
import { maskSecrets } from './mask-secrets.js';

test('[OT-13] logs only the apiVersion, kind, namespace and name of a namespaced object', () => {
  const map = new ConfigMap({
    metadata: { name: 'a', namespace: 'default', labels: { x: 'y' } },
    data: { key: 'value' },
  });
  assert.deepEqual(maskSecrets({ map }), {
    map: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'a' },
  });
});

test('[OT-13] logs only the kind and the key of an object, also for cluster-scoped objects and for dynamic kinds', () => {
  const node = new Node({ metadata: { name: 'n' }, spec: {} });
  assert.deepEqual(maskSecrets(node), { apiVersion: 'v1', kind: 'Node', name: 'n' });
  const Thing = dynamicKind('x.io/v1', 'Thing');
  const thing = new Thing({ metadata: { name: 't', namespace: 'd' }, spec: { a: 1 } });
  assert.deepEqual(maskSecrets({ list: [thing] }), {
    list: [{ apiVersion: 'x.io/v1', kind: 'Thing', namespace: 'd', name: 't' }],
  });
});

test('[OT-13] logs an object key, undefined and null without changes', () => {
  assert.deepEqual(maskSecrets({ key: { name: 'a', namespace: 'b' }, node: { name: 'n' } }), {
    key: { name: 'a', namespace: 'b' },
    node: { name: 'n' },
  });
  assert.deepEqual(maskSecrets({ object: undefined, other: null }), { object: undefined, other: null });
});

test('[OT-13] logs all fields of values that are similar to Kubernetes objects', () => {
  const causes = [{ kind: 'modified', source: 'Pod default/a' }];
  assert.deepEqual(maskSecrets({ causes }), { causes });
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, code: 404 };
  assert.deepEqual(maskSecrets({ status }), { status });
});

test('never logs the data of a Secret, at any depth', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { password: 'eA==' } };
  assert.doesNotMatch(JSON.stringify(maskSecrets({ failed: { desired: [secret] } })), /eA==/);
});
