import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { keyOf } from './key-of.js';
import type { KubeObject, ObjectMeta } from './kube-object.js';
import { mutable } from './mutable.js';
import { controllerOf, isControlledBy } from './ownership.js';

const meta: ObjectMeta = {
  name: 'a',
  namespace: 'n',
  uid: 'u1',
  resourceVersion: '1',
  creationTimestamp: '2026-01-01T00:00:00Z',
};
const object = (apiVersion: string, kind: string, rest: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: meta,
  ...rest,
});
const child = (...ownerReferences: object[]): KubeObject =>
  ({ ...object('v1', 'Pod'), metadata: { ...meta, uid: 'u2', ownerReferences } }) as KubeObject;

describe('keyOf', () => {
  it('returns a namespace only for a namespaced object', () => {
    assert.deepEqual(keyOf(object('v1', 'Pod')), { namespace: 'n', name: 'a' });
    const { namespace: _, ...cluster } = meta;
    assert.deepEqual(keyOf({ apiVersion: 'v1', kind: 'Node', metadata: cluster }), { name: 'a' });
  });
});

describe('the controller of an object', () => {
  const reference = { apiVersion: 'v1', kind: 'Owner', name: 'o', uid: 'u1' };
  it('controllerOf returns the owner reference with controller: true', () => {
    const controller = { ...reference, uid: 'u9', controller: true };
    assert.equal(controllerOf(child(reference, controller)), controller);
    assert.equal(controllerOf(child(reference)), undefined);
    assert.equal(controllerOf(object('v1', 'Pod')), undefined);
  });
  it('isControlledBy compares the uid of the owner', () => {
    const owner = object('v1', 'Owner');
    assert.equal(isControlledBy(child({ ...reference, controller: true }), owner), true);
    assert.equal(isControlledBy(child({ ...reference, controller: true, uid: 'u3' }), owner), false);
    assert.equal(isControlledBy(child(reference), owner), false);
    const unwritten = { ...owner, metadata: { name: 'o' } as ObjectMeta };
    assert.equal(isControlledBy(object('v1', 'Pod'), unwritten), false);
  });
});

describe('mutable', () => {
  it('returns a deep copy with writable maps and lists in metadata', () => {
    const original = Object.freeze(object('v1', 'Pod', { spec: Object.freeze({ nodeName: 'n' }) }));
    const draft = mutable(original);
    draft.metadata.labels.a = 'b';
    draft.metadata.finalizers.push('f');
    assert.notEqual(draft.metadata, original.metadata);
    assert.equal(original.metadata.labels, undefined);
  });
  it('copies values as structuredClone does', () => {
    const value = fc.anything({
      withNullPrototype: false,
      withBigInt: true,
      // Not `withDate`, which includes invalid dates: deepEqual reports that two of them differ.
      values: [fc.constant('x'), fc.date({ noInvalidDate: true })],
    });
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('spec', '__proto__', 'data'), value, { noNullPrototype: true }),
        (rest) => {
          assert.deepEqual(mutable(rest), structuredClone(rest));
        },
      ),
    );
    assert.ok(Number.isNaN(mutable({ spec: new Date(Number.NaN) }).spec.getTime()));
    assert.throws(() => mutable({ spec: () => undefined }), { name: 'DataCloneError' });
  });
  it('shares no objects with the original', () => {
    const shared = Object.freeze({ name: 'a' });
    const original = object('v1', 'Pod', { spec: { containers: [shared, shared] } });
    const draft = mutable(original) as unknown as { readonly spec: { readonly containers: { name: string }[] } };
    for (const container of draft.spec.containers) container.name += 'b';
    assert.deepEqual(draft.spec.containers, [{ name: 'ab' }, { name: 'ab' }]);
    assert.equal(shared.name, 'a');
  });
});
