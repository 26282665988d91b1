import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServedLeaseLock } from './served-lease-lock.js';

const { signal } = new AbortController();
const metadata = { name: 'leader', namespace: 'apps', uid: 'u1', resourceVersion: '7' };
const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: { holderIdentity: 'a' } };
const record = { holderIdentity: 'b', leaseDurationSeconds: 15, leaderTransitions: 0 };

const badAnswers: Readonly<Record<string, unknown>> = {
  null: null,
  'an array': [],
  'an object of another kind': { ...lease, kind: 'Secret' },
  'a Lease with another name': { ...lease, metadata: { ...metadata, name: 'other' } },
  'a Lease whose resourceVersion is an object': { ...lease, metadata: { ...metadata, resourceVersion: {} } },
};

for (const [title, answer] of Object.entries(badAnswers)) {
  test(`rejects a response of the API server that is ${title}, and keeps the last Lease`, async () => {
    let body: unknown = lease;
    const transport = { request: <T>() => Promise.resolve(body as T) };
    const lock = new ServedLeaseLock(transport, { name: 'leader', namespace: 'apps' });
    assert.equal((await lock.get(signal))?.holderIdentity, 'a');
    body = answer;
    const invalid = { code: 'INVALID_RESPONSE', message: /^(get|create|update) lease apps\/leader: / };
    await assert.rejects(lock.get(signal), invalid);
    await assert.rejects(lock.create(record, signal), invalid);
    await assert.rejects(lock.update(record, signal), invalid);
    assert.deepEqual(lock.object, lease);
  });
}
