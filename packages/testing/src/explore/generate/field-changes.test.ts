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

test('fieldChanges adds, removes, reorders and duplicates items of lists', () => {
  const hosts: StructuralSchema = { type: 'array', items: { type: 'string' } };
  const changed = changesOf({ hosts: ['a', 'b'] }, { hosts }).filter(([path]) => path === 'spec.hosts');
  assert.deepEqual(
    changed.map(([, value]) => value),
    [['a', 'b', 'a.example.com'], ['a', 'b', 'b.example.com'], ['b'], [], ['b', 'a'], ['a', 'b', 'a'], undefined],
  );
});

test('fieldChanges adds and removes keys of maps, and changes values', () => {
  const labels: StructuralSchema = { type: 'object', additionalProperties: { type: 'string', maxLength: 5 } };
  const changes = changesOf({ labels: { a: 'x' } }, { labels });
  assert.deepEqual(
    changes.flatMap(([path, value]) => (path === 'spec.labels' ? [value] : [])),
    [{ a: 'x', 'example.com/added': 'a' }, { a: 'x', added: 'a' }, {}, undefined],
  );
  assert.deepEqual(
    changes.flatMap(([path, value]) => (path === 'spec.labels.a' ? [value] : [])),
    ['a', 'b', 'web', ''],
  );
});

test('fieldChanges returns quantities, and texts that are probably not valid', () => {
  const memory: StructuralSchema = { 'x-kubernetes-int-or-string': true, pattern: String.raw`^\d+(Gi|Pi|m)?$` };
  const values = (properties: Readonly<Record<string, StructuralSchema>>): readonly unknown[] =>
    changesOf({}, properties).map(([, value]) => value);
  assert.deepEqual(values({ memory }), ['1Gi', '2Gi', '0', '8Pi']);
  assert.deepEqual(values({ cpu: memory }), ['100m', '2', '0']);
  assert.deepEqual(values({ version: { type: 'string' } }).slice(-2), ['', 'Not/valid?']);
  const limited: StructuralSchema = { type: 'integer', minimum: 0, maximum: 3 };
  assert.deepEqual(values({ limited }), [1, 2, 0, 3]);
  assert.ok(values({ free: { type: 'integer' } }).includes(-1));
});

test('fieldChanges returns the first change of each field before the second change of any field', () => {
  const flag: StructuralSchema = { type: 'boolean' };
  const paths = changesOf({ a: true, b: true }, { a: flag, b: flag }).map(([path]) => path);
  assert.deepEqual(paths, ['spec.a', 'spec.b', 'spec.a', 'spec.b']);
});
