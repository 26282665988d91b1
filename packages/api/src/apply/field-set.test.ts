import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { countValues } from '../json/count-values.js';
import { KubewrightError } from '../errors/kubewright-error.js';
import { FieldSet } from './field-set.js';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.js';
import { fieldElement, keyElement, parsePathElement, pathText, valueElement, type Path } from './path-element.js';

const element = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '.', '__proto__').map(fieldElement),
  fc.constantFrom<unknown>('x', 1, true, 2n ** 60n).map(valueElement),
  fc.constantFrom('a', 'b').map((name) =>
    keyElement([
      ['name', name],
      ['id', 1],
    ]),
  ),
  fc.integer({ min: 0, max: 3 }).map((at) => parsePathElement(`i:${at}`)),
);
const paths = fc.array(fc.array(element, { minLength: 1, maxLength: 3 }), { maxLength: 8 });
const ids = (set: FieldSet) => [...set.paths()].map((path) => path.map(({ id }) => id).join(' ')).toSorted();
const idsOf = (list: readonly Path[]) =>
  [...new Set(list.map((path) => path.map(({ id }) => id).join(' ')))].toSorted();

describe('a field set', () => {
  test('returns a lower bound for the number of JSON values in fieldsV1 and in the object', () => {
    fc.assert(
      fc.property(paths, (list) => {
        const set = FieldSet.of(list);
        assert.equal(set.leastValues, countValues(encodeFieldsV1(set)) - 1 + idsOf(list).length);
      }),
    );
  });

  test('supports the operations of a set of paths', () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const [a, b] = [FieldSet.of(left), FieldSet.of(right)];
        const [x, y] = [idsOf(left), idsOf(right)];
        assert.deepEqual(ids(a), x);
        assert.deepEqual(ids(a.union(b)), [...new Set([...x, ...y])].toSorted());
        assert.deepEqual(
          ids(a.intersection(b)),
          x.filter((id) => y.includes(id)),
        );
        assert.deepEqual(
          ids(a.difference(b)),
          x.filter((id) => !y.includes(id)),
        );
        const under = (id: string) => y.some((other) => id === other || id.startsWith(`${other} `));
        assert.deepEqual(
          ids(a.recursiveDifference(b)),
          x.filter((id) => !under(id)),
        );
        assert.equal(a.equals(b), x.join('|') === y.join('|'));
        assert.ok(left.every((path) => a.has(path)));
      }),
    );
  });

  test('is unchanged after encoding and decoding', () => {
    fc.assert(
      fc.property(paths, (list) => {
        const set = FieldSet.of(list);
        const text = JSON.stringify(encodeFieldsV1(set));
        assert.ok(decodeFieldsV1(JSON.parse(text)).equals(set));
        assert.equal(JSON.stringify(encodeFieldsV1(decodeFieldsV1(JSON.parse(text)))), text);
      }),
    );
  });

  test('encodes fields, keys, values and indices in the order of Kubernetes, with "." first', () => {
    const set = FieldSet.of([
      [fieldElement('spec'), valueElement('b')],
      [fieldElement('spec'), valueElement('a')],
      [fieldElement('spec'), valueElement(3)],
      [fieldElement('spec'), parsePathElement('i:2')],
      [fieldElement('spec'), parsePathElement('k:{"protocol":"TCP","port":80}')],
      [fieldElement('spec'), parsePathElement('k:{"protocol":"TCP","port":80}'), fieldElement('name')],
      [fieldElement('spec'), fieldElement('z')],
      [fieldElement('a')],
    ]);
    assert.equal(
      JSON.stringify(encodeFieldsV1(set)),
      JSON.stringify({
        'f:a': {},
        'f:spec': {
          'f:z': {},
          'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {} },
          'v:3': {},
          'v:"a"': {},
          'v:"b"': {},
          'i:2': {},
        },
      }),
    );
  });

  test('rejects fieldsV1 that Kubernetes does not write', () => {
    for (const bad of [
      null,
      [],
      { spec: {} },
      { 'x:spec': {} },
      { 'k:[1]': {} },
      { 'v:': {} },
      { 'i:a': {} },
      { 'f:a': 1 },
    ]) {
      assert.throws(() => decodeFieldsV1(bad), KubewrightError);
    }
  });
});

test('pathText formats a path in the format of Kubernetes', () => {
  const path = [
    fieldElement('spec'),
    keyElement([
      ['protocol', 'TCP'],
      ['port', 80],
    ]),
    fieldElement('l'),
    valueElement('x'),
    parsePathElement('i:1'),
  ];
  assert.equal(pathText(path), '.spec[port=80,protocol="TCP"].l[="x"][1]');
});
