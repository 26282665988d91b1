import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlannedRequest } from '@kubewright/apiserver';
import { CrashInjector } from './crash-injector.js';
import { parseCrash } from './crash-point.js';

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

test('a CrashInjector crashes an operator at the write with a name, and reports the names of the crashes', () => {
  const write = (name: string): PlannedRequest => ({
    verb: 'patch',
    resource: 'pods',
    namespace: 'default',
    name,
    ordinal: 1,
    write: { verb: 'patch', kind: 'Pod', name, fields: ['status.phase'] },
  });
  const points = ['after patch Pod/default/a status.phase #2', 'before patch Pod/default/b status.phase #1'];
  const crashes = new CrashInjector({}, points.map(parseCrash), () => undefined);
  const at = (name: string): unknown => {
    const fault = crashes.onRequest(write(name));
    crashes.restart();
    return fault;
  };
  assert.deepEqual(
    [at('a'), at('c'), at('a'), at('a'), at('b')],
    [undefined, undefined, { kind: 'cut', after: 'write' }, undefined, { kind: 'cut', after: 'none' }],
  );
  assert.deepEqual(crashes.crashes, points);
});

test('parseCrash rejects a text without before or after with INVALID_OPTION', () => {
  assert.throws(() => parseCrash('during patch Pod/default/a #1'), { code: 'INVALID_OPTION' });
  assert.throws(() => parseCrash('after'), { code: 'INVALID_OPTION' });
});
