import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { plannedObjects } from './planned-objects.js';

const objectOf = (apiVersion: string, kind: string, name: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, uid: '', resourceVersion: '', creationTimestamp: '' },
});
const site = objectOf('example.com/v1', 'Website', 'one');
const gateway = objectOf('other.io/v1', 'Gateway', 'one');
const map = objectOf('v1', 'ConfigMap', 'one');
const objects = [map, site, gateway, objectOf('example.com/v1', 'Website', 'two')];
const definition = new CustomResourceDefinition({
  metadata: { name: 'sites.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Website', plural: 'sites', shortNames: ['ws'] },
    versions: [],
  },
});
const planned = (kind: string, name: string, inFile = objects): readonly KubeObject[] =>
  plannedObjects({ objects: inFile, filename: 'all.yaml' }, { kind, name }, [definition]);

test('plannedObjects returns only objects with the name and the kind, by any name of the kind', () => {
  for (const kind of ['website', 'Website', 'sites', 'ws', 'Website.example.com', 'sites.example.com']) {
    assert.deepEqual(planned(kind, 'one'), [site], kind);
  }
  for (const kind of ['cm', 'configmaps', 'ConfigMap']) assert.deepEqual(planned(kind, 'one'), [map], kind);
  for (const kind of ['gateway', 'gateways.other.io']) assert.deepEqual(planned(kind, 'one'), [gateway], kind);
});

test('plannedObjects throws INVALID_USAGE with the objects of the file if no object has the kind and the name', () => {
  const message =
    'cannot plan website/no: all.yaml does not contain this object; pass one of the objects in the file: ConfigMap/one, Website.example.com/one, Gateway.other.io/one, Website.example.com/two';
  assert.throws(() => planned('website', 'no'), { code: 'INVALID_USAGE', message });
  assert.throws(() => planned('website.other.io', 'one'), { code: 'INVALID_USAGE' });
  const many = Array.from({ length: 15 }, (_, index) => objectOf('v1', 'Pod', `p${index}`));
  assert.throws(() => planned('website', 'one', many), /Pod\/p11, and 3 more$/);
});
