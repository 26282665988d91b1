import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addFinalizer, hasFinalizer, removeFinalizer } from './finalizer-list.js';
import type { KubeObject } from './kube-object.js';
import { mutable } from './mutable.js';
import type { Draft } from './readonly.js';

const ours = 'example.com/disks';

function pod(...finalizers: readonly string[]): Draft<KubeObject> {
  const metadata = finalizers.length === 0 ? { name: 'p' } : { name: 'p', finalizers };
  return mutable({ apiVersion: 'v1', kind: 'Pod', metadata } as unknown as KubeObject);
}

test('[CU-31] addFinalizer appends a missing finalizer', () => {
  const first = pod();
  assert.equal(addFinalizer(first, ours), true);
  assert.deepEqual(first.metadata.finalizers, [ours]);
  const second = pod('example.com/other');
  assert.equal(addFinalizer(second, ours), true);
  assert.deepEqual(second.metadata.finalizers, ['example.com/other', ours]);
});

test('[CU-32] addFinalizer does not add a finalizer twice', () => {
  const draft = pod(ours, 'example.com/other');
  assert.equal(addFinalizer(draft, ours), false);
  assert.deepEqual(draft.metadata.finalizers, [ours, 'example.com/other']);
});

test('[CU-33] removeFinalizer removes every occurrence of a finalizer', () => {
  const draft = pod(ours, 'example.com/other', ours);
  assert.equal(removeFinalizer(draft, ours), true);
  assert.deepEqual(draft.metadata.finalizers, ['example.com/other']);
});

test('[CU-34] removeFinalizer changes nothing if the finalizer is missing', () => {
  const draft = pod('example.com/other');
  assert.equal(removeFinalizer(draft, ours), false);
  assert.deepEqual(draft.metadata.finalizers, ['example.com/other']);
});

test('[CU-35] hasFinalizer accepts drafts and objects without finalizers', () => {
  assert.equal(hasFinalizer(pod(ours), ours), true);
  assert.equal(hasFinalizer(pod(ours), 'example.com'), false);
  assert.equal(hasFinalizer({ metadata: {} }, ours), false);
});
