import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredObject } from './stored-object.js';
import { Mask } from './mask.js';
import { stateDifferences } from './state-differences.js';
import { isDerived, worldState } from './world-state.js';

const FIELDS = { 'f:spec': { 'f:replicas': {}, 'f:address': {} } };

function stored(name: string, more: Partial<StoredObject> = {}, fieldsV1: object = FIELDS): StoredObject {
  const managedFields = [
    { manager: 'database', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 },
  ];
  return {
    apiVersion: 'v1',
    kind: 'Thing',
    ...more,
    metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '1', managedFields, ...more.metadata },
  };
}

function stateOf(...objects: readonly StoredObject[]) {
  return worldState(objects, { all: objects, isCustom: () => true });
}

test('worldState contains only the fields that the operator wrote', () => {
  const state = stateOf(stored('a', { spec: { replicas: 2, defaulted: true } }));
  assert.deepEqual([...state], [['Thing default/a', { apiVersion: 'v1', kind: 'Thing', spec: { replicas: 2 } }]]);
});

test('worldState replaces the uids and addresses of other objects', () => {
  const service = stored('web', { kind: 'Service', spec: { clusterIP: '10.0.0.7' } }, {});
  const state = stateOf(service, stored('a', { spec: { address: '10.0.0.7' } }));
  assert.deepEqual(state.get('Thing default/a'), {
    apiVersion: 'v1',
    kind: 'Thing',
    spec: { address: '<address of Service default/web>' },
  });
});

test('worldState compares observedGeneration with the generation of the object', () => {
  const fields = { 'f:status': { 'f:observedGeneration': {} } };
  const at = (observedGeneration: number, generation: number): unknown => {
    const { metadata, ...object } = stored('a', { status: { observedGeneration } }, fields);
    return stateOf({ ...object, metadata: { ...metadata, generation } }).get('Thing default/a');
  };
  assert.deepEqual(at(3, 3), at(7, 7));
  assert.notDeepEqual(at(3, 3), at(2, 3));
});

test('an empty status equals an absent status', () => {
  assert.deepEqual(
    stateOf(stored('a', { status: {} }, { 'f:status': {} })),
    stateOf(stored('a', {}, { 'f:status': {} })),
  );
});

test('worldState ignores the order of lists whose items have names', () => {
  const fields = { 'f:spec': { 'f:containers': {} } };
  const withContainers = (...names: readonly string[]) =>
    stateOf(stored('a', { spec: { containers: names.map((name) => ({ name })) } }, fields));
  assert.deepEqual(stateDifferences(withContainers('x', 'y'), withContainers('y', 'x')), []);
  assert.equal(stateDifferences(withContainers('x', 'y'), withContainers('x', 'z')).length, 1);
});

test('isDerived recognizes the objects of workload controllers', () => {
  const owned = (kind: string): StoredObject => {
    const { metadata, ...object } = stored('a', { kind: 'Pod' });
    return { ...object, metadata: { ...metadata, ownerReferences: [{ kind, name: 'o', uid: 'u', controller: true }] } };
  };
  assert.equal(isDerived(owned('ReplicaSet'), false), true);
  assert.equal(isDerived(owned('Database'), false), false);
});

test('stateDifferences contains missing objects and changed fields, and a mask ignores fields of a kind', () => {
  const differences = stateDifferences(
    new Map<string, unknown>([
      ['Secret default/a', { data: { password: 'x', user: 'u' } }],
      ['Service default/a', {}],
    ]),
    new Map<string, unknown>([['Secret default/a', { data: { password: 'y', user: 'u' } }]]),
  );
  assert.deepEqual(differences, [
    { object: 'Secret default/a', path: 'data.password', actual: 'x', expected: 'y' },
    { object: 'Service default/a', path: '', actual: {}, expected: undefined },
  ]);
  assert.deepEqual(
    new Mask(['Secret data.password']).apply(differences).map(({ object }) => object),
    ['Service default/a'],
  );
});
