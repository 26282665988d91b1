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

test('[CU-01] an object without owners gets one', () => {
  const draft = pod();
  setOwnerReference(draft, owner);
  assert.deepEqual(references(draft), [reference]);
});

test('[CU-02] whether an owner waits for its object can be said of both kinds of references', () => {
  const plain = pod();
  setOwnerReference(plain, owner, { blockOwnerDeletion: true });
  assert.deepEqual(references(plain), [{ ...reference, blockOwnerDeletion: true }]);
  const controlled = pod();
  setControllerReference(controlled, owner, { blockOwnerDeletion: false });
  assert.deepEqual(references(controlled), [{ ...controller, blockOwnerDeletion: false }]);
});

test('[CU-03] an owner that is there already is not added again', () => {
  const draft = pod();
  setOwnerReference(draft, owner);
  setOwnerReference(draft, other);
  setOwnerReference(draft, owner);
  assert.deepEqual(references(draft), [reference, { ...reference, name: 'other', uid: 'u2' }]);
});

test('[CU-04] the reference to an owner is brought up to date where it stands, when its version or its uid has changed', () => {
  const old = { ...reference, apiVersion: 'apps/v1beta1', uid: 'earlier' };
  const next = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u9' };
  const draft = pod(old, next);
  setOwnerReference(draft, owner);
  assert.deepEqual(references(draft), [reference, next]);
});

test('owners of the same kind and name in another group are other owners', () => {
  const draft = pod({ ...reference, apiVersion: 'extensions/v1', uid: 'u7' });
  setControllerReference(draft, owner);
  assert.equal(draft.metadata.ownerReferences?.length, 2);
});

test('the list that a draft was made with is left as it is', () => {
  const frozen = Object.freeze([Object.freeze({ ...reference, uid: 'earlier' })]);
  const draft = pod();
  draft.metadata.ownerReferences = frozen as never;
  setOwnerReference(draft, owner);
  assert.equal(frozen[0]?.uid, 'earlier');
  assert.deepEqual(references(draft), [reference]);
});

test('[CU-05] an owner is taken away, also one that is the controller', () => {
  const draft = pod(controller, { ...reference, name: 'other', uid: 'u2' });
  removeOwnerReference(draft, owner);
  assert.deepEqual(references(draft), [{ ...reference, name: 'other', uid: 'u2' }]);
  removeOwnerReference(draft, other);
  assert.deepEqual(references(draft), []);
});

test('[CU-06] to take away what is no owner, or an owner that does not say its kind, is an error', () => {
  assert.throws(() => removeOwnerReference(pod(), owner), hasCode('OWNER_NOT_FOUND'));
  assert.throws(() => removeOwnerReference(pod(reference), other), hasCode('OWNER_NOT_FOUND'));
  const nameless = objectOf('', '', owner.metadata);
  assert.throws(() => removeOwnerReference(pod(reference), nameless), hasCode('OWNER_REFUSED'));
});

test('[CU-07] an object has a controller once one is set, and none by a plain owner', () => {
  const draft = pod();
  setOwnerReference(draft, owner);
  assert.equal(controllerOf(draft as KubeObject), undefined);
  setControllerReference(draft, owner);
  assert.deepEqual(controllerOf(draft as KubeObject), controller);
  assert.equal(isControlledBy(draft as KubeObject, owner), true);
});

test('[CU-08] only the controller can be taken away as such', () => {
  assert.throws(() => removeControllerReference(pod(), owner), hasCode('OWNER_NOT_FOUND'));
  assert.throws(() => removeControllerReference(pod(reference), owner), hasCode('OWNER_NOT_FOUND'));
  assert.throws(() => removeControllerReference(pod(controller), other), hasCode('OWNER_NOT_FOUND'));
  assert.throws(
    () => removeControllerReference(pod(controller), objectOf('apps/v1', '', owner.metadata)),
    hasCode('OWNER_REFUSED'),
  );
  const draft = pod(controller, { ...reference, name: 'other', uid: 'u2' });
  removeControllerReference(draft, owner);
  assert.deepEqual(references(draft), [{ ...reference, name: 'other', uid: 'u2' }]);
});

test('[CU-09] whether an object is an owner goes by its uid, so an earlier one of its name is none', () => {
  const owned = pod({ ...reference, name: 'other', uid: 'u2' }, reference) as KubeObject;
  assert.equal(isOwnedBy(owned, owner), true);
  assert.equal(isOwnedBy(pod() as KubeObject, owner), false);
  assert.equal(isOwnedBy(pod({ ...reference, uid: 'earlier' }) as KubeObject, owner), false);
  assert.equal(isOwnedBy(owned, objectOf('apps/v1', 'Deployment', { name: 'web' })), false);
});

test('[CU-10] a controller is marked as such, and waits for its object when it is deleted', () => {
  const draft = pod();
  setControllerReference(draft, owner);
  assert.deepEqual(references(draft), [controller]);
});

test('[CU-11] an owner that does not say its kind, or was never written, is refused', () => {
  assert.throws(() => setControllerReference(pod(), objectOf('apps/v1', '', owner.metadata)), hasCode('OWNER_REFUSED'));
  assert.throws(() => setOwnerReference(pod(), objectOf('', 'Deployment', owner.metadata)), hasCode('OWNER_REFUSED'));
  const unwritten = objectOf('apps/v1', 'Deployment', { name: 'web', namespace: 'a' });
  assert.throws(() => setControllerReference(pod(), unwritten), hasCode('OWNER_REFUSED'));
});

test('[CU-12] an object that another one controls is not taken over, and stays as it is', () => {
  const draft = pod(controller);
  assert.throws(
    () => setControllerReference(draft, other),
    (error) => hasCode('ALREADY_OWNED')(error) && /Deployment web controls it already/.test(String(error)),
  );
  assert.deepEqual(references(draft), [controller]);
});

test('[CU-13] a plain reference to the owner becomes the controller, and none is added', () => {
  const draft = pod({ ...reference, name: 'other', uid: 'u2' }, reference);
  setControllerReference(draft, owner);
  assert.deepEqual(references(draft), [{ ...reference, name: 'other', uid: 'u2' }, controller]);
});

test('[CU-14] an owner in one namespace cannot own an object in another', () => {
  const elsewhere = objectOf('apps/v1', 'Deployment', { ...owner.metadata, namespace: 'b' });
  assert.throws(() => setControllerReference(pod(), elsewhere), hasCode('OWNER_REFUSED'));
  assert.throws(() => setOwnerReference(pod(), elsewhere), /it is in namespace 'b'/);
});

test('[CU-15] an owner in a namespace cannot own an object in none, and one in none may own both', () => {
  const role = (): Draft<KubeObject> =>
    mutable(objectOf('rbac.authorization.k8s.io/v1', 'ClusterRole', { name: 'reader' }));
  assert.throws(() => setControllerReference(role(), owner), hasCode('OWNER_REFUSED'));
  assert.throws(() => setOwnerReference(role(), owner), /cannot own an object that is in none/);
  const global = objectOf('example.com/v1', 'Fleet', { name: 'f', uid: 'u5' });
  for (const draft of [role(), pod()]) {
    setControllerReference(draft, global);
    assert.equal(isControlledBy(draft as KubeObject, global), true);
  }
});

test('[CU-16] the controller in another version is the same controller', () => {
  const draft = pod({ ...controller, apiVersion: 'apps/v1beta2' });
  setControllerReference(draft, owner);
  assert.deepEqual(references(draft), [controller]);
});
