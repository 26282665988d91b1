import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AllowedValues } from './compiled-schema.js';

test('AllowedValues finds a number in an enum, even if the number in the enum or the searched number is a bigint', () => {
  const huge = 10n ** 400n;
  const allowed = new AllowedValues([1, 2n ** 53n + 1n, 1e19, huge]);
  for (const value of [1, 1n, 2n ** 53n + 1n, 10n ** 19n, huge]) assert.ok(allowed.has(value), String(value));
  for (const value of [2, 2n, 2n ** 53n, 2 ** 53, huge + 1n, '1', true, null]) {
    assert.ok(!allowed.has(value), String(value));
  }
});

test('AllowedValues finds objects and lists in an enum', () => {
  const allowed = new AllowedValues([{ a: 1, b: [2] }, [3], 'text', false, null]);
  for (const value of [{ b: [2], a: 1n }, [3], 'text', false, null]) assert.ok(allowed.has(value));
  for (const value of [{ a: 1 }, [4], [], 'false', 0]) assert.ok(!allowed.has(value));
});
