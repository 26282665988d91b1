import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnerReference } from '@kubewright/api';
import { disk, Machine } from '../../test-support/controller-bench.js';
import { ownerKeys, ownersOfKind } from './owner-keys.js';

function owner(name: string, more: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: 'test.dev/v1', kind: 'Machine', name, uid: `uid-${name}`, ...more };
}

test('[HD-15, HD-16] matches owners by group and kind, regardless of the version', () => {
  const child = disk('d', {
    ownerReferences: [
      owner('older', { apiVersion: 'test.dev/v1alpha1' }),
      owner('other-group', { apiVersion: 'other.dev/v1' }),
      owner('core', { apiVersion: 'v1' }),
      owner('other-kind', { kind: 'Engine' }),
      owner('newer', { apiVersion: 'test.dev/v2' }),
    ],
  });
  assert.deepEqual(ownerKeys(Machine, { everyOwner: true })(child), [
    { name: 'older', namespace: 'default' },
    { name: 'newer', namespace: 'default' },
  ]);
});

test('[HD-19, HD-20, HD-21] returns only the controller owner without everyOwner', () => {
  const keys = ownerKeys(Machine);
  const child = disk('d', { ownerReferences: [owner('a'), owner('b', { controller: true }), owner('c')] });
  assert.deepEqual(keys(child), [{ name: 'b', namespace: 'default' }]);
  assert.deepEqual(keys(disk('d', { ownerReferences: [owner('a'), owner('c', { controller: false })] })), []);
  assert.deepEqual(keys(disk('d')), []);
});

test('[HD-25] reports an invalid owner reference and returns the other owners', () => {
  const bad: unknown[] = [
    owner('x', { apiVersion: 'a/b/c' }),
    owner('x', { apiVersion: '' }),
    owner('x', { apiVersion: '/v1' }),
    { kind: 'Machine', name: 'x' },
    { apiVersion: 'test.dev/v1', name: 'x' },
    { apiVersion: 'test.dev/v1', kind: 'Machine' },
    null,
  ];
  const child = disk('d', { ownerReferences: [...bad, owner('good')] as never });
  const reported: string[] = [];
  const owners = ownersOfKind(child, Machine, {
    everyOwner: true,
    onBadReference: (_, error) => reported.push(error.message),
  });
  assert.deepEqual(
    owners.map(({ name }) => name),
    ['good'],
  );
  assert.equal(reported.length, bad.length);
  assert.match(reported[0] ?? '', /apiVersion 'a\/b\/c', which is not of the form 'version' or 'group\/version'/);
});
