import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StructuralSchema } from '@kubewright/api/schema';
import { containsApplied } from './contains-applied.js';

const port: StructuralSchema = { properties: { port: {}, protocol: { default: 'TCP' }, name: {} } };
const schema: StructuralSchema = {
  properties: {
    spec: {
      properties: {
        ports: { items: port, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['port', 'protocol'] },
        tags: { items: {}, 'x-kubernetes-list-type': 'set' },
        args: { items: {}, 'x-kubernetes-list-type': 'atomic' },
        limits: { additionalProperties: { 'x-kubernetes-int-or-string': true } },
      },
    },
  },
};

function holds(applied: object, live: object, builtIn = false): boolean {
  return containsApplied({
    applied: { metadata: {}, spec: applied },
    live: { metadata: {}, spec: live },
    schema,
    builtIn,
  });
}

test('ignores fields that other managers added', () => {
  assert.ok(holds({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }));
  assert.ok(!holds({ a: { b: 1 } }, { a: { b: 2 } }));
});

test('matches items of a map list by their keys, with the default values of missing keys', () => {
  assert.ok(
    holds(
      { ports: [{ port: 80, name: 'web' }] },
      { ports: [{ port: 443 }, { port: 80, protocol: 'TCP', name: 'web' }] },
    ),
  );
  assert.ok(!holds({ ports: [{ port: 80, name: 'web' }] }, { ports: [{ port: 80, protocol: 'UDP', name: 'web' }] }));
});

test('accepts additional items in a set list, but neither additional items nor another order in an atomic list', () => {
  assert.ok(holds({ tags: ['b', 'a'] }, { tags: ['a', 'b', 'c'] }));
  assert.ok(!holds({ args: ['a'] }, { args: ['a', 'b'] }));
  assert.ok(!holds({ args: ['b', 'a'] }, { args: ['a', 'b'] }));
});

test('compares quantities by value and all other strings literally', () => {
  assert.ok(holds({ limits: { cpu: '1000m', memory: '1Gi' } }, { limits: { cpu: '1', memory: '1024Mi' } }));
  assert.ok(!holds({ args: ['1000m'] }, { args: ['1'] }));
});

test('treats missing fields as equal to empty values, and to zero values for built-in kinds', () => {
  assert.ok(holds({ a: {}, b: [] }, {}));
  assert.ok(!holds({ a: false }, {}));
  assert.ok(holds({ a: false }, {}, true));
});

test('matches owner references by uid and finalizers as a set', () => {
  const applied = { metadata: { ownerReferences: [{ uid: 'b', name: 'x' }], finalizers: ['f'] } };
  const live = {
    metadata: {
      ownerReferences: [
        { uid: 'a', name: 'y' },
        { uid: 'b', name: 'x' },
      ],
      finalizers: ['e', 'f'],
    },
  };
  assert.ok(containsApplied({ applied, live, schema: undefined, builtIn: false }));
});
