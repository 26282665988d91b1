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

test('an object has an unanswered write until a reconcile reads the version of a later answered write', () => {
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

test('ignores the version of an answered write for 60 s, because the server may still execute the unanswered write', () => {
  const { clock, writes } = fixture();
  writes.noted(ID, version('7'));
  clock.nowMs = 59_999;
  writes.answered(ID, version('9'));
  writes.read(ID, version('10'));
  assert.equal(writes.has(ID), true);
});

test('waits for another answered write after a further unanswered write', () => {
  const { clock, writes } = fixture();
  writes.noted(ID, version('7'));
  clock.nowMs = 60_000;
  writes.answered(ID, version('9'));
  writes.noted(ID, version('9'));
  writes.read(ID, version('9'));
  assert.equal(writes.has(ID), true);
});

test('ignores writes of other objects', () => {
  const { clock, writes } = fixture();
  writes.noted(ID, version('7', 'b'));
  assert.equal(writes.has(ID), false);
  writes.noted(ID, version('7'));
  clock.nowMs = 60_000;
  writes.answered(ID, version('9', 'b'));
  writes.read(ID, version('9'));
  assert.equal(writes.has(ID), true);
});
