import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubewrightError } from '../errors/kubewright-error.js';
import type { KubeObject, ObjectMeta, OwnerReference } from './kube-object.js';
import { mutable } from './mutable.js';
import {
  removeControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from './owner-references.js';
import { controllerOf, isControlledBy, isOwnedBy } from './ownership.js';
import type { Draft } from './readonly.js';

const owner = objectOf('apps/v1', 'Deployment', { name: 'web', namespace: 'a', uid: 'u1' });
const other = objectOf('apps/v1', 'Deployment', { name: 'other', namespace: 'a', uid: 'u2' });
const reference = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u1' };
const controller = { ...reference, controller: true, blockOwnerDeletion: true };

function objectOf(apiVersion: string, kind: string, metadata: Partial<ObjectMeta>): KubeObject {
  return { apiVersion, kind, metadata } as KubeObject;
}
function pod(...ownerReferences: readonly OwnerReference[]): Draft<KubeObject> {
  return mutable(
    objectOf('v1', 'Pod', { name: 'p', namespace: 'a', ...(ownerReferences.length > 0 && { ownerReferences }) }),
  );
}
function hasCode(code: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof KubewrightError);
    assert.equal(error.code, code, error.message);
    return true;
  };
}
const references = (draft: Draft<KubeObject>): unknown => draft.metadata.ownerReferences;

test('[CU-01] setOwnerReference adds an owner to an object without owners', () => {
  const draft = pod();
  setOwnerReference(draft, owner);
  assert.deepEqual(references(draft), [reference]);
});

test('[CU-02] blockOwnerDeletion is configurable for owner references and controller references', () => {
  const plain = pod();
  setOwnerReference(plain, owner, { blockOwnerDeletion: true });
  assert.deepEqual(references(plain), [{ ...reference, blockOwnerDeletion: true }]);
  const controlled = pod();
  setControllerReference(controlled, owner, { blockOwnerDeletion: false });
  assert.deepEqual(references(controlled), [{ ...controller, blockOwnerDeletion: false }]);
});

test('[CU-03] setOwnerReference does not add an existing owner again', () => {
  const draft = pod();
  setOwnerReference(draft, owner);
  setOwnerReference(draft, other);
  setOwnerReference(draft, owner);
  assert.deepEqual(references(draft), [reference, { ...reference, name: 'other', uid: 'u2' }]);
});

test('[CU-04] setOwnerReference updates an existing reference in its position if its version or uid has changed', () => {
  const old = { ...reference, apiVersion: 'apps/v1beta1', uid: 'earlier' };
  const next = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u9' };
  const draft = pod(old, next);
  setOwnerReference(draft, owner);
  assert.deepEqual(references(draft), [reference, next]);
});

test('owners of the same kind and name in different groups are different owners', () => {
  const draft = pod({ ...reference, apiVersion: 'extensions/v1', uid: 'u7' });
  setControllerReference(draft, owner);
  assert.equal(draft.metadata.ownerReferences?.length, 2);
});

test('setOwnerReference does not modify the original list of references', () => {
  const frozen = Object.freeze([Object.freeze({ ...reference, uid: 'earlier' })]);
  const draft = pod();
  draft.metadata.ownerReferences = frozen as never;
  setOwnerReference(draft, owner);
  assert.equal(frozen[0]?.uid, 'earlier');
  assert.deepEqual(references(draft), [reference]);
});

test('[CU-05] removeOwnerReference removes an owner, including the controller', () => {
  const draft = pod(controller, { ...reference, name: 'other', uid: 'u2' });
  removeOwnerReference(draft, owner);
  assert.deepEqual(references(draft), [{ ...reference, name: 'other', uid: 'u2' }]);
  removeOwnerReference(draft, other);
  assert.deepEqual(references(draft), []);
});

test('[CU-06] removeOwnerReference rejects an object that is not an owner and an owner without a kind', () => {
  assert.throws(() => removeOwnerReference(pod(), owner), hasCode('OWNER_NOT_FOUND'));
  assert.throws(() => removeOwnerReference(pod(reference), other), hasCode('OWNER_NOT_FOUND'));
  const nameless = objectOf('', '', owner.metadata);
  assert.throws(() => removeOwnerReference(pod(reference), nameless), hasCode('OWNER_NOT_ALLOWED'));
});

test('the error about an owner without a kind names the failed operation', () => {
  const nameless = objectOf('', '', owner.metadata);
  for (const [operation, expected] of [
    [setOwnerReference, 'make a/web an owner of Pod a/p'],
    [setControllerReference, 'make a/web an owner of Pod a/p'],
    [removeOwnerReference, 'remove the owner a/web from Pod a/p'],
    [removeControllerReference, 'remove the controller a/web from Pod a/p'],
  ] as const) {
    assert.throws(() => operation(pod(controller), nameless), {
      code: 'OWNER_NOT_ALLOWED',
      message: new RegExp(`^cannot ${expected}: the owner has no apiVersion or no kind; `),
    });
  }
});

test('[CU-07] setControllerReference sets the controller of an object, and setOwnerReference does not', () => {
  const draft = pod();
  setOwnerReference(draft, owner);
  assert.equal(controllerOf(draft as KubeObject), undefined);
  setControllerReference(draft, owner);
  assert.deepEqual(controllerOf(draft as KubeObject), controller);
  assert.equal(isControlledBy(draft as KubeObject, owner), true);
});

test('[CU-08] removeControllerReference removes only the controller', () => {
  assert.throws(() => removeControllerReference(pod(), owner), hasCode('OWNER_NOT_FOUND'));
  assert.throws(() => removeControllerReference(pod(reference), owner), hasCode('OWNER_NOT_FOUND'));
  assert.throws(() => removeControllerReference(pod(controller), other), hasCode('OWNER_NOT_FOUND'));
  assert.throws(
    () => removeControllerReference(pod(controller), objectOf('apps/v1', '', owner.metadata)),
    hasCode('OWNER_NOT_ALLOWED'),
  );
  const draft = pod(controller, { ...reference, name: 'other', uid: 'u2' });
  removeControllerReference(draft, owner);
  assert.deepEqual(references(draft), [{ ...reference, name: 'other', uid: 'u2' }]);
});

test('[CU-09] isOwnedBy compares the uid, and an earlier object of the same name is not an owner', () => {
  const owned = pod({ ...reference, name: 'other', uid: 'u2' }, reference) as KubeObject;
  assert.equal(isOwnedBy(owned, owner), true);
  assert.equal(isOwnedBy(pod() as KubeObject, owner), false);
  assert.equal(isOwnedBy(pod({ ...reference, uid: 'earlier' }) as KubeObject, owner), false);
  assert.equal(isOwnedBy(owned, objectOf('apps/v1', 'Deployment', { name: 'web' })), false);
});

test('[CU-10] setControllerReference sets controller and blockOwnerDeletion', () => {
  const draft = pod();
  setControllerReference(draft, owner);
  assert.deepEqual(references(draft), [controller]);
});

test('[CU-11] an owner without an apiVersion, a kind or a uid is rejected', () => {
  assert.throws(
    () => setControllerReference(pod(), objectOf('apps/v1', '', owner.metadata)),
    hasCode('OWNER_NOT_ALLOWED'),
  );
  assert.throws(
    () => setOwnerReference(pod(), objectOf('', 'Deployment', owner.metadata)),
    hasCode('OWNER_NOT_ALLOWED'),
  );
  const unwritten = objectOf('apps/v1', 'Deployment', { name: 'web', namespace: 'a' });
  assert.throws(() => setControllerReference(pod(), unwritten), hasCode('OWNER_NOT_ALLOWED'));
});

test('[CU-12] setControllerReference rejects an object of another controller and does not change the object', () => {
  const draft = pod(controller);
  assert.throws(
    () => setControllerReference(draft, other),
    (error) => hasCode('ALREADY_OWNED')(error) && /it is already controlled by Deployment web/.test(String(error)),
  );
  assert.deepEqual(references(draft), [controller]);
});

test('[CU-13] setControllerReference makes an existing owner the controller', () => {
  const draft = pod({ ...reference, name: 'other', uid: 'u2' }, reference);
  setControllerReference(draft, owner);
  assert.deepEqual(references(draft), [{ ...reference, name: 'other', uid: 'u2' }, controller]);
});

test('[CU-14] an owner cannot own an object in another namespace', () => {
  const elsewhere = objectOf('apps/v1', 'Deployment', { ...owner.metadata, namespace: 'b' });
  assert.throws(() => setControllerReference(pod(), elsewhere), hasCode('OWNER_NOT_ALLOWED'));
  assert.throws(() => setOwnerReference(pod(), elsewhere), /the owner is in namespace 'b'/);
});

test('[CU-15] a namespaced owner cannot own a cluster-scoped object, and a cluster-scoped owner can own any object', () => {
  const role = (): Draft<KubeObject> =>
    mutable(objectOf('rbac.authorization.k8s.io/v1', 'ClusterRole', { name: 'reader' }));
  assert.throws(() => setControllerReference(role(), owner), hasCode('OWNER_NOT_ALLOWED'));
  assert.throws(() => setOwnerReference(role(), owner), /cannot own a cluster-scoped object/);
  const global = objectOf('example.com/v1', 'Fleet', { name: 'f', uid: 'u5' });
  for (const draft of [role(), pod()]) {
    setControllerReference(draft, global);
    assert.equal(isControlledBy(draft as KubeObject, global), true);
  }
});

test('[CU-16] setControllerReference accepts the existing controller in another API version', () => {
  const draft = pod({ ...controller, apiVersion: 'apps/v1beta2' });
  setControllerReference(draft, owner);
  assert.deepEqual(references(draft), [controller]);
});
