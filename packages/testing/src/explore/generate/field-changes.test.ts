import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StructuralSchema } from '@kubewright/api/schema';
import { fieldChanges } from './field-changes.js';

function changesOf(
  spec: unknown,
  properties: Readonly<Record<string, StructuralSchema>>,
  required: readonly string[] = [],
) {
  return fieldChanges(spec, { type: 'object', properties, required }).map(({ path, value }) => [path, value]);
}

test('fieldChanges changes an integer by one, within its limits', () => {
  const changes = changesOf({ size: 5 }, { size: { type: 'integer', minimum: 1, maximum: 5 } }, ['size']);
  assert.deepEqual(changes, [
    ['spec.size', 4],
    ['spec.size', 1],
  ]);
});

test('fieldChanges returns each other value of an enumeration, and removes only optional fields', () => {
  const mode: StructuralSchema = { type: 'string', enum: ['a', 'b', 'c'] };
  assert.deepEqual(changesOf({ mode: 'a' }, { mode }, ['mode']), [
    ['spec.mode', 'b'],
    ['spec.mode', 'c'],
  ]);
  assert.deepEqual(changesOf({ mode: 'a' }, { mode }).at(-1), ['spec.mode', undefined]);
});

test('fieldChanges adds an absent object with each of its fields, and changes the fields of a present object', () => {
  const probe: StructuralSchema = {
    type: 'object',
    properties: { path: { type: 'string' }, port: { type: 'integer', minimum: 1 } },
  };
  assert.deepEqual(changesOf({}, { probe }), [
    ['spec.probe', {}],
    ['spec.probe', { path: 'a' }],
    ['spec.probe', { port: 1 }],
  ]);
  const present = fieldChanges({ probe: { port: 80 } }, { type: 'object', properties: { probe } });
  assert.deepEqual(
    present.filter(({ path }) => path === 'spec.probe.port').map(({ spec }) => spec),
    [{ probe: { port: 81 } }, { probe: { port: 79 } }, { probe: { port: 1 } }, { probe: {} }],
  );
});

test('fieldChanges adds and removes items of lists and keys of maps', () => {
  const hosts: StructuralSchema = { type: 'array', items: { type: 'string' } };
  const changedHosts = changesOf({ hosts: ['a'] }, { hosts }).filter(([path]) => path === 'spec.hosts');
  assert.deepEqual(
    changedHosts.map(([, value]) => value),
    [['a', 'a.example.com'], ['a', 'b.example.com'], [], undefined],
  );
  const labels: StructuralSchema = { type: 'object', additionalProperties: { type: 'string' } };
  assert.deepEqual(
    changesOf({ labels: { a: 'x' } }, { labels }).map(([, value]) => value),
    [{ a: 'x', 'example.com/added': 'a' }, { a: 'x', added: 'a' }, {}, undefined],
  );
});

test('fieldChanges returns the first change of each field before the second change of any field', () => {
  const flag: StructuralSchema = { type: 'boolean' };
  const paths = changesOf({ a: true, b: true }, { a: flag, b: flag }).map(([path]) => path);
  assert.deepEqual(paths, ['spec.a', 'spec.b', 'spec.a', 'spec.b']);
});
