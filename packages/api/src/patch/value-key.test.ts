import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { deepEqual } from './deep-equal.js';
import { valueKey } from './value-key.js';

test('two JSON values have the same key if and only if they are equal', () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2, noUnicodeString: false }),
    fc.constantFrom(1, 1n, '1', 's1', 'o{}', {}, [], [[]], '', null, { a: 1, b: [2] }, { b: [2], a: 1, c: undefined }),
  );
  fc.assert(
    fc.property(value, value, (a, b) => {
      assert.equal(new Set([valueKey(a)]).has(valueKey(b)), deepEqual(a, b));
      assert.ok(new Set([valueKey(a)]).has(valueKey(structuredClone(a))));
    }),
    { numRuns: 2000 },
  );
});
