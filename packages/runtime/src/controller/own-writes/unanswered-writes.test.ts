import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '@kubewright/api/core/v1';
import { ReconciledObject } from './reconciled-object.js';
import { UnansweredWrites } from './unanswered-writes.js';

const ID = 'default/a';

function fixture() {
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
  const writes = new UnansweredWrites({ reconciled: new ReconciledObject(ConfigMap), clock });
  return { clock, writes };
}
function version(resourceVersion: string, name = 'a'): ConfigMap {
  return new ConfigMap({ metadata: { name, namespace: 'default', resourceVersion } });
}

test('tracks a write without a response until a reconcile reads the version of a later write that got a response', () => {
  const { clock, writes } = fixture();
  writes.noted(ID, version('7'));
  clock.nowMs = 60_000;
  writes.answered(ID, version('9'));
  assert.equal(writes.has(ID), true, 'the answered patch was compared with an older object');
  writes.read(ID, version('8'));
  assert.equal(writes.has(ID), true);
  writes.read(ID, version('9'));
  assert.equal(writes.has(ID), false);
});

test('ignores the versions of later responses for 60 s, because the server may still execute the write without a response', () => {
  const { clock, writes } = fixture();
  writes.noted(ID, version('7'));
  clock.nowMs = 59_999;
  writes.answered(ID, version('9'));
  writes.read(ID, version('10'));
  assert.equal(writes.has(ID), true);
});

test('restarts the tracking with the next write that gets no response', () => {
  const { clock, writes } = fixture();
  writes.noted(ID, version('7'));
  clock.nowMs = 60_000;
  writes.answered(ID, version('9'));
  writes.noted(ID, version('9'));
  writes.read(ID, version('9'));
  assert.equal(writes.has(ID), true);
});

test('ignores writes to objects other than the reconciled object', () => {
  const { clock, writes } = fixture();
  writes.noted(ID, version('7', 'b'));
  assert.equal(writes.has(ID), false);
  writes.noted(ID, version('7'));
  clock.nowMs = 60_000;
  writes.answered(ID, version('9', 'b'));
  writes.read(ID, version('9'));
  assert.equal(writes.has(ID), true);
});
