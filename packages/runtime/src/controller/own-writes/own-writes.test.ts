import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../cache/store/change.js';
import { OwnWrites } from './own-writes.js';

const id = 'default/web';
interface Pool extends KubeObject {
  readonly spec: { readonly size?: number; readonly mode?: string };
  readonly status?: { readonly ready?: number };
}
const pool = (resourceVersion: string, spec: Pool['spec'] = {}, status: Pool['status'] = {}): Pool => ({
  apiVersion: 'example.com/v1',
  kind: 'Pool',
  metadata: { name: 'web', namespace: 'default', uid: 'u', creationTimestamp: '', resourceVersion },
  spec,
  status,
});
const change = (old: KubeObject, object: KubeObject): Change<KubeObject> => ({ type: 'modified', old, object });
const ready = { status: { ready: 1 } };

test('takeEcho returns true once for the echo of a write of the controller', () => {
  const writes = new OwnWrites();
  writes.record(id, '2', { epoch: 1, body: ready });
  const echo = change(pool('1'), pool('2', {}, { ready: 1 }));
  assert.equal(writes.takeEcho(id, echo, 1), true);
  assert.equal(writes.takeEcho(id, echo, 1), false);
});

test('if a write changes nothing and its response contains the version of a change of another client, this change is not an echo', () => {
  const theirs = change(pool('1'), pool('2', { size: 3 }, { ready: 1 }));
  for (const body of [ready, { spec: { mode: 'Auto' } }, { metadata: { labels: { mine: 'yes' } } }, undefined]) {
    const writes = new OwnWrites();
    writes.record(id, '2', { epoch: 1, body });
    assert.equal(writes.takeEcho(id, theirs, 1), false, JSON.stringify(body));
  }
});

test('a change of the spec that the controller wrote is an echo', () => {
  const writes = new OwnWrites();
  writes.record(id, '2', { epoch: 1, body: { spec: { size: 3 } } });
  assert.equal(writes.takeEcho(id, change(pool('1'), pool('2', { size: 3 })), 1), true);
});

test('a change that arrives after the store is relisted is not an echo', () => {
  const writes = new OwnWrites();
  writes.record(id, '2', { epoch: 1, body: ready });
  assert.equal(writes.takeEcho(id, change(pool('1'), pool('2', {}, { ready: 1 })), 2), false);
});

test('a created object is an echo, except if it arrives in a list', () => {
  for (const initial of [false, true]) {
    const writes = new OwnWrites();
    writes.record(id, '2', { epoch: 1, body: { spec: {} } });
    assert.equal(writes.takeEcho(id, { type: 'added', object: pool('2'), initial }, 1), !initial);
  }
});

test('neither a deletion request nor a recreated object of the same name is an echo', () => {
  const body = { spec: { size: 3 } };
  const after = pool('2', { size: 3 });
  for (const metadata of [{ deletionTimestamp: '2030-01-01T00:00:00Z' }, { uid: 'other' }]) {
    const writes = new OwnWrites();
    writes.record(id, '2', { epoch: 1, body });
    const object = { ...after, metadata: { ...after.metadata, ...metadata } };
    assert.equal(writes.takeEcho(id, change(pool('1'), object), 1), false);
  }
});
