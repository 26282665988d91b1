import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredObject } from '../state/stored-object.js';
import type { Observation } from '../trials/run-trial.js';
import { type Invariant, objectViolations } from './object-oracles.js';

const BY_OPERATOR = [{ manager: 'shop' }];

function stored(kind: string, name: string, more: Omit<Partial<StoredObject>, 'kind'> = {}): StoredObject {
  const metadata = { name, namespace: 'default', uid: `${kind} ${name}`, resourceVersion: '1', ...more.metadata };
  return { apiVersion: 'v1', kind, ...more, metadata };
}

function observed(objects: readonly StoredObject[], more: Partial<Observation> = {}): Observation {
  return {
    step: { action: 'declare', spec: {} },
    state: new Map(),
    objects,
    copies: new Set(),
    hasSubject: true,
    isRunning: true,
    writes: [],
    changed: [],
    deleted: [],
    events: [],
    errors: [],
    isFailing: false,
    unconverged: undefined,
    restless: [],
    ...more,
  };
}

function rules(
  after: Observation,
  { before, invariants = {} }: { before?: Observation; invariants?: Readonly<Record<string, Invariant>> } = {},
) {
  return objectViolations(after, before, invariants).map(({ oracle, details }) => [oracle, ...details]);
}

test('objectViolations reports written and deleted copies of children', () => {
  const copies = new Set(['ConfigMap default/a', 'ConfigMap default/b', 'ConfigMap default/c']);
  const objects = [stored('ConfigMap', 'a'), stored('ConfigMap', 'b')];
  const write = { verb: 'patch', kind: 'ConfigMap', namespace: 'default', name: 'b', fields: [], occurrence: 1 };
  assert.deepEqual(rules(observed(objects, { copies, writes: [write] })), [
    ['foreign', 'ConfigMap default/b', 'ConfigMap default/c'],
  ]);
  assert.deepEqual(rules(observed([...objects, stored('ConfigMap', 'c')], { copies })), []);
});

test('objectViolations reports a ready object whose workload is not ready', () => {
  const withStatus = (status: string): StoredObject =>
    stored('Shop', 'subject', { status: { conditions: [{ type: 'Ready', status }] } });
  const owner = { kind: 'Shop', name: 'subject', uid: 'Shop subject', controller: true };
  const metadata = { name: 'web', uid: 'web', resourceVersion: '1', ownerReferences: [owner] };
  const pod = stored('Pod', 'web', { metadata, status: { phase: 'Pending' } });
  assert.deepEqual(rules(observed([withStatus('True'), pod])), [['ready', 'Pod default/web']]);
  assert.deepEqual(rules(observed([withStatus('False'), pod])), []);
});

test('objectViolations reports a Pod with an environment from the previous content of a ConfigMap', () => {
  const metadata = {
    name: 'settings',
    namespace: 'default',
    uid: 's',
    resourceVersion: '1',
    managedFields: BY_OPERATOR,
  };
  const config = (size: string): StoredObject => stored('ConfigMap', 'settings', { metadata, data: { size } });
  const containers = [{ envFrom: [{ configMapRef: { name: 'settings' } }] }];
  const pod = (name: string): StoredObject =>
    stored('Pod', name, { spec: { containers }, status: { phase: 'Running' } });
  const before = observed([config('1'), pod('web-0')]);
  assert.deepEqual(rules(observed([config('2'), pod('web-0')]), { before }), [['rollout', 'Pod default/web-0']]);
  assert.deepEqual(rules(observed([config('2'), pod('web-1')]), { before }), []);
  assert.deepEqual(rules(observed([config('1'), pod('web-0')]), { before }), []);
});

test('objectViolations reports invariants that throw an error', () => {
  const invariants = {
    few: (objects: readonly unknown[]) => assert.ok(objects.length < 2, 'too many objects'),
  };
  assert.deepEqual(rules(observed([stored('Pod', 'a')]), { invariants }), []);
  assert.deepEqual(rules(observed([stored('Pod', 'a'), stored('Pod', 'b')]), { invariants }), [
    ['invariant', 'too many objects'],
  ]);
});
