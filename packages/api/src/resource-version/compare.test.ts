import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareResourceVersions } from './compare.js';

test('compareResourceVersions compares resource versions as integers of any size', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 80n }), fc.bigInt({ min: 0n, max: 2n ** 80n }), (a, b) => {
      assert.equal(Math.sign(compareResourceVersions(a.toString(), b.toString())), a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

test('the empty version and version 0 are older than every other version', () => {
  assert.ok(compareResourceVersions('', '1') < 0);
  assert.ok(compareResourceVersions('0', '1') < 0);
  assert.equal(compareResourceVersions('', '0'), 0);
  assert.ok(compareResourceVersions('10', '9') > 0);
});
