import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countValues } from './count-values.js';

test('countValues counts each object, array and scalar, but not keys', () => {
  assert.equal(countValues(null), 1);
  assert.equal(countValues({ a: 1, b: [true, 'x', {}], c: undefined }), 6);
});

test('countValues stops when the number of values exceeds the limit', () => {
  const endless: unknown[] = [1];
  endless.push(endless);
  assert.equal(countValues(endless, 1000), 1001);
});

test('countValues returns the count, or the limit plus 1 if the count exceeds the limit', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(50), (value, most) => {
      assert.equal(countValues(value, most), Math.min(countValues(value), most + 1));
    }),
  );
});
