import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../json/json-object.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { type MapAtom, rootAtom } from './atom.js';
import { compareValues } from './compare-values.js';
import { createdFields } from './created-fields.js';
import { encodeFieldsV1 } from './fields-v1.js';
import { finish } from './steps.js';
import { trackedFields } from './take-fields.js';
import { FieldTypeError } from './type-error.js';

const text: StructuralSchema = { type: 'string' };
const item: StructuralSchema = { type: 'object', properties: { a: text, b: { type: 'integer', default: 1 }, c: text } };
const schema: StructuralSchema = {
  type: 'object',
  properties: {
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    map: { type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a', 'b'] },
    atomic: { type: 'array', items: item },
    whole: { type: 'object', properties: { a: text }, 'x-kubernetes-map-type': 'atomic' },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    labels: { type: 'object', additionalProperties: text },
    any: {},
    nested: { type: 'object', properties: { set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' } } },
  },
};
const { map } = rootAtom(schema);

const scalar = fc.constantFrom<unknown>('a', 'b', '', 1, 2n ** 60n, true, null);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'set', '.', '__proto__'), tie('value'), {
    noNullPrototype: true,
  }),
}));
const likely = {
  set: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }),
  map: fc.array(fc.record({ a: fc.constantFrom('x', 'y'), b: fc.nat(2), c: value }, { requiredKeys: ['a'] }), {
    maxLength: 4,
  }),
};
const fields = Object.fromEntries(
  Object.keys(schema.properties ?? {}).map((name) => [
    name,
    name === 'set' || name === 'map' ? fc.oneof({ weight: 4, arbitrary: likely[name] }, value) : value,
  ]),
);
const metadata = fc.record(
  {
    name: fc.constant('a'),
    uid: fc.constant('u'),
    labels: fc.dictionary(fc.constantFrom('a', 'b'), fc.constant('x'), { noNullPrototype: true }),
    finalizers: fc.uniqueArray(fc.constantFrom('a', 'b')),
  },
  { requiredKeys: [] },
);
const object = fc.record(
  { apiVersion: fc.constant('v1'), kind: fc.constant('Thing'), metadata, unknown: value, ...fields },
  { requiredKeys: [] },
);

/** Returns the JSON of the fields, or the name of the error. The order of the fields decides which of several errors is found first. */
function outcome(find: () => unknown): string | undefined {
  try {
    return JSON.stringify(find());
  } catch (error) {
    if (error instanceof FieldTypeError) return FieldTypeError.name;
    throw error;
  }
}

test('createdFields returns the fields in which an object differs from an empty object', () => {
  fc.assert(
    fc.property(object, (created) => {
      const compared = outcome(() => {
        const { added, modified } = finish(compareValues({}, created, rootAtom(schema)));
        const owned = trackedFields(modified.union(added));
        return owned.isEmpty ? undefined : encodeFieldsV1(owned);
      });
      assert.equal(
        outcome(() => createdFields(created as JsonObject, map as MapAtom)),
        compared,
      );
    }),
    { numRuns: 3000 },
  );
});
