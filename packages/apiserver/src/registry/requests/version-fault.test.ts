import assert from 'node:assert/strict';
import { test } from 'node:test';
import { versionFault } from './version-fault.js';

test('accepts a resourceVersion of at most 64 bits with any number of leading zeros', () => {
  const most = '18446744073709551615';
  for (const text of ['0', '5', most, `${'0'.repeat(100)}${most}`]) assert.equal(versionFault(text), undefined, text);
  for (const text of ['18446744073709551616', '100000000000000000000', '1'.repeat(1000)]) {
    assert.match(versionFault(text) ?? '', /value out of range$/, text);
  }
  assert.match(versionFault('x') ?? '', /invalid syntax$/);
});
