import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOf } from './object-key.js';

test('the error for an object without a name contains its kind, but not its data', () => {
  const secret = { kind: 'Secret', metadata: { namespace: 'db' }, data: { password: 'czNjcjN0' } };
  assert.throws(() => keyOf(secret), {
    code: 'INVALID_KEY',
    message: 'an object without a name has no key: {"kind":"Secret","metadata":{"namespace":"db"}}',
  });
});
