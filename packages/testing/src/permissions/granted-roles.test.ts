import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import type { OperatorPermissions } from '@kubewright/api/rbac';
import { FakeClock } from '../fake-clock.js';
import { GrantedRoles, type GrantedRolesOptions } from './granted-roles.js';

const permissionsOf = (resource: string): OperatorPermissions => ({
  cluster: [{ group: '', resource, verb: 'get' }],
  namespaced: [],
  own: [],
});

/** Returns the roles of an operator, and the changes that they cause. */
function roles() {
  const changes: string[] = [];
  const client = {
    apply: async (object: KubeObject) => {
      changes.push(`apply ${object.kind}`);
      return object;
    },
    delete: async ({ kind }: KubeObject) => void changes.push(`delete ${kind}`),
  };
  const options = { name: 'web', namespace: 'default', client, clock: new FakeClock(), learnsLater: false };
  return { granted: new GrantedRoles(options as unknown as GrantedRolesOptions), changes };
}

const CREATED = ['apply ClusterRole', 'apply ClusterRoleBinding'];
const DELETED = ['delete ClusterRoleBinding', 'delete ClusterRole'];

test('grant does nothing for the same permissions, and replaces the roles of other permissions', async () => {
  const { granted, changes } = roles();
  await granted.grant(permissionsOf('pods'));
  await granted.grant(permissionsOf('pods'));
  assert.deepEqual(changes, CREATED);
  await granted.grant(permissionsOf('secrets'));
  assert.deepEqual(changes, [...CREATED, ...DELETED, ...CREATED]);
});

test('grant creates the roles again after revoke', async () => {
  const { granted, changes } = roles();
  await granted.grant(permissionsOf('pods'));
  await granted.revoke();
  await granted.grant(permissionsOf('pods'));
  assert.deepEqual(changes, [...CREATED, ...DELETED, ...CREATED]);
});
