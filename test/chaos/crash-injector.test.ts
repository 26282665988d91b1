import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrashInjector } from './crash-injector.js';

const write = { verb: 'patch', resource: 'pods', ordinal: 1 };
const crashPoint = { atWrite: 1, done: true };

test('after an operator crashes at a write, a CrashInjector blocks all of its requests until the next operator starts', () => {
  let crashCount = 0;
  const crashes = new CrashInjector({}, [crashPoint], () => crashCount++);
  assert.deepEqual(crashes.onRequest(write), { kind: 'cut', after: 'write' });
  assert.deepEqual(crashes.onRequest(write), { kind: 'cut', after: 'none' });
  crashes.restart();
  assert.equal(crashes.onRequest(write), undefined);
  assert.equal(crashCount, 1);
});

test('a disabled CrashInjector does not crash an operator, and keeps a crashed operator blocked until the next operator starts', () => {
  const disabled = new CrashInjector({}, [crashPoint], () => undefined);
  disabled.disable();
  assert.equal(disabled.onRequest(write), undefined);
  assert.equal(disabled.isCrashed, false);
  const crashed = new CrashInjector({}, [crashPoint, { ...crashPoint, atWrite: 2 }], () => undefined);
  crashed.onRequest(write);
  crashed.disable();
  assert.equal(crashed.isCrashed, true);
  crashed.restart();
  assert.equal(crashed.onRequest(write), undefined);
});
