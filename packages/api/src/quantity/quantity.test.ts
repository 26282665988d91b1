import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalQuantity, canonicalThousandths } from './canonical.js';
import { compareQuantities, isQuantity, parseQuantity } from './parse.js';

const canonical: readonly (readonly [string, string])[] = [
  ['0', '0'],
  ['0.5Gi', '512Mi'],
  ['1024Mi', '1Gi'],
  ['1.5Gi', '1536Mi'],
  ['1000m', '1'],
  ['1500m', '1500m'],
  ['0.1', '100m'],
  ['1000k', '1M'],
  ['1e3', '1e3'],
  ['1000e0', '1e3'],
  ['12e6', '12e6'],
  ['-1.5', '-1500m'],
  ['0.0000000001', '1n'],
  ['512', '512'],
  ['0.5Ki', '512'],
  ['1Ki', '1Ki'],
];

for (const [written, expected] of canonical) {
  test(`the canonical form of ${written} is ${expected}`, () => assert.equal(canonicalQuantity(written), expected));
}

test('canonicalThousandths rounds quantities to thousandths, away from zero', () => {
  const rounded = ['1.23456', '1n', '-0.0001', '100.00001Mi', '1Gi', '1500m'].map(canonicalThousandths);
  assert.deepEqual(rounded, ['1235m', '1m', '-1m', '104857610486m', '1Gi', '1500m']);
});

test('compareQuantities compares quantities by value', () => {
  assert.equal(compareQuantities('1Gi', '1024Mi'), 0);
  assert.equal(compareQuantities('1G', '1Gi'), -1);
  assert.equal(compareQuantities('1', '999m'), 1);
});

test('isQuantity and canonicalQuantity reject an invalid quantity', () => {
  for (const text of ['', 'Gi', '1 Gi', '1gi', 'one', '1e', '--1', '1.2.3']) {
    assert.equal(isQuantity(text), false, text);
    assert.throws(() => canonicalQuantity(text), { code: 'INVALID_QUANTITY' });
  }
});

test('canonicalQuantity preserves the value, and does not change the canonical form of a decimal quantity', () => {
  const suffix = fc.constantFrom('', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e2');
  fc.assert(
    fc.property(fc.integer(), fc.nat(999), suffix, (whole, fraction, unit) => {
      const text = `${whole}.${fraction}${unit}`;
      const once = canonicalQuantity(text);
      assert.equal(compareQuantities(once, text), 0);
      if (!unit.endsWith('i')) assert.equal(canonicalQuantity(once), once);
    }),
  );
});

test('a binary quantity that is not a multiple of 1,024 becomes a decimal quantity, as in Go', () => {
  assert.equal(canonicalQuantity('62.5Ki'), '64000');
  assert.equal(canonicalQuantity('64000'), '64k');
});

test('parseQuantity rejects a quantity of more than 1,000 characters', () => {
  assert.ok(isQuantity('1'.repeat(1000)));
  assert.throws(() => parseQuantity('1'.repeat(1001)), /quantities must match the regular expression/);
});
