import assert from 'node:assert/strict';
import { test } from 'node:test';
import { violationsOf } from './violations.js';

test('the level baseline does not permit a sysctl or an SELinux type with the name of an inherited property', () => {
  const securityContext = { sysctls: [{ name: 'constructor', value: '1' }], seLinuxOptions: { type: 'valueOf' } };
  const found = violationsOf({ spec: { securityContext } }, { level: 'baseline', version: 'latest' });
  assert.deepEqual(found, [
    { reason: 'seLinuxOptions', detail: 'pod set forbidden securityContext.seLinuxOptions: type "valueOf"' },
    { reason: 'forbidden sysctls', detail: 'constructor' },
  ]);
});
