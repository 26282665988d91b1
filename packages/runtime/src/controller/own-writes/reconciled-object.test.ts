import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamicKind, type KubeObject } from '@kubewright/api';
import { ReconciledObject } from './reconciled-object.js';

const reconciled = new ReconciledObject(dynamicKind('serving.example.dev/v1', 'Service'));
const object = (apiVersion: string, kind: string, name: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'default', uid: '', resourceVersion: '', creationTimestamp: '' },
});

test('recognizes the reconciled object in each version of its API group', () => {
  assert.equal(reconciled.is('default/web', object('serving.example.dev/v1', 'Service', 'web')), true);
  assert.equal(reconciled.is('default/web', object('serving.example.dev/v2', 'Service', 'web')), true);
});

test('does not confuse the reconciled object with a child of the same name or the same kind name', () => {
  assert.equal(reconciled.is('default/web', object('v1', 'Service', 'web')), false);
  assert.equal(reconciled.is('default/web', object('serving.example.dev/v1', 'Route', 'web')), false);
  assert.equal(reconciled.is('default/web', object('serving.example.dev/v1', 'Service', 'db')), false);
});
