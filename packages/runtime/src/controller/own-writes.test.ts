import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import type { Change } from '../cache/change.js';
import { OwnWrites } from './own-writes.js';

const id = 'default/web';
const object = (resourceVersion: string, generation: number): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Pool',
  metadata: { name: 'web', namespace: 'default', uid: 'u', creationTimestamp: '', resourceVersion, generation },
});
const change = (from: KubeObject, to: KubeObject): Change<KubeObject> => ({ type: 'modified', old: from, object: to });

test('the echo of an own write is known once', () => {
  const writes = new OwnWrites();
  writes.record(id, '2', { epoch: 1, ofStatus: true });
  const echo = change(object('1', 1), object('2', 1));
  assert.equal(writes.takeEcho(id, echo, 1), true);
  assert.equal(writes.takeEcho(id, echo, 1), false);
});

test("a status write that changed nothing does not hide somebody's edit, whose version it was answered with", () => {
  const writes = new OwnWrites();
  writes.record(id, '2', { epoch: 1, ofStatus: true });
  assert.equal(writes.takeEcho(id, change(object('1', 1), object('2', 2)), 1), false);
});

test('an own edit of the spec is an echo though the generation moved', () => {
  const writes = new OwnWrites();
  writes.record(id, '2', { epoch: 1, ofStatus: false });
  assert.equal(writes.takeEcho(id, change(object('1', 1), object('2', 2)), 1), true);
});

test('after the store was filled anew nothing is an echo', () => {
  const writes = new OwnWrites();
  writes.record(id, '2', { epoch: 1, ofStatus: true });
  assert.equal(writes.takeEcho(id, change(object('1', 1), object('2', 1)), 2), false);
});
