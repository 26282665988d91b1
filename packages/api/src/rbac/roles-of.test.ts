import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindRolesOf, metricsReaderRole } from './kind-roles-of.js';
import type { OperatorPermissions } from './operator-permissions.js';
import { rolesOf } from './roles-of.js';

const permission = { group: 'apps', resource: 'deployments', verb: 'get' };
const names = { prefix: 'shop-', namespace: 'shop-system', serviceAccount: 'shop', labels: { b: '2', a: '1' } };
const none: OperatorPermissions = { cluster: [], namespaced: [], own: [] };

test('rolesOf returns a ClusterRole and a Role per namespace, each with a binding and the same labels', () => {
  const made = rolesOf(
    {
      cluster: [permission],
      namespaced: ['team-b', 'team-a', 'shop-system'].map((namespace) => ({ ...permission, namespace })),
      own: [{ ...permission, verb: 'update' }],
    },
    names,
  );
  assert.deepEqual(
    made.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`),
    [
      'ClusterRole /shop-manager-role',
      'ClusterRoleBinding /shop-manager-rolebinding',
      'Role shop-system/shop-manager-role',
      'RoleBinding shop-system/shop-manager-rolebinding',
      'Role team-a/shop-manager-role',
      'RoleBinding team-a/shop-manager-rolebinding',
      'Role team-b/shop-manager-role',
      'RoleBinding team-b/shop-manager-rolebinding',
    ],
  );
  assert.deepEqual(JSON.parse(JSON.stringify(made.slice(2, 4))), [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'shop-manager-role', namespace: 'shop-system', labels: { a: '1', b: '2' } },
      rules: [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'update'] }],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'shop-manager-rolebinding', namespace: 'shop-system', labels: { a: '1', b: '2' } },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'shop-manager-role' },
      subjects: [{ kind: 'ServiceAccount', name: 'shop', namespace: 'shop-system' }],
    },
  ]);
});

test('rolesOf omits a role without rules and its binding', () => {
  assert.deepEqual(rolesOf(none, names), []);
  assert.deepEqual(
    rolesOf({ ...none, own: [permission] }, names).map(({ kind }) => kind),
    ['Role', 'RoleBinding'],
  );
});

test('the viewer, editor and admin roles of a kind are aggregated to the default roles of Kubernetes', () => {
  const kind = { group: 'shop.example.com', plural: 'carts', singular: 'cart', subresources: ['status', 'scale'] };
  const [admin, editor, viewer] = kindRolesOf([kind], { labels: { app: 'shop' } });
  assert.deepEqual(viewer?.metadata.labels, { app: 'shop', 'rbac.authorization.k8s.io/aggregate-to-view': 'true' });
  assert.deepEqual(editor?.metadata.labels?.['rbac.authorization.k8s.io/aggregate-to-edit'], 'true');
  assert.deepEqual(admin?.metadata.labels?.['rbac.authorization.k8s.io/aggregate-to-admin'], 'true');
  assert.deepEqual(viewer?.rules, [
    { apiGroups: ['shop.example.com'], resources: ['carts'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: ['shop.example.com'], resources: ['carts/scale', 'carts/status'], verbs: ['get'] },
  ]);
  assert.deepEqual(editor?.rules, [
    {
      apiGroups: ['shop.example.com'],
      resources: ['carts'],
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    },
    { apiGroups: ['shop.example.com'], resources: ['carts/scale'], verbs: ['get', 'patch', 'update'] },
    { apiGroups: ['shop.example.com'], resources: ['carts/status'], verbs: ['get'] },
  ]);
});

test('the roles of a cluster-scoped kind are not aggregated', () => {
  const kind = { group: 'example.com', plural: 'zones', singular: 'zone', namespaced: false, subresources: [] };
  for (const { metadata } of kindRolesOf([kind], { labels: { app: 'dns' } })) {
    assert.deepEqual(metadata.labels, { app: 'dns' });
  }
});

test('the role names of kinds with the same name contain the group', () => {
  const bar = (group: string) => ({ group, plural: 'bars', singular: 'bar', subresources: [] });
  const foo = { group: 'b.example.com', plural: 'foos', singular: 'foo', subresources: [] };
  assert.deepEqual(
    kindRolesOf([foo, bar('b.example.com'), bar('a.example.com')], { prefix: 'op-' })
      .map(({ metadata }) => metadata.name)
      .filter((name) => name.includes('viewer')),
    ['op-bar.a.example.com-viewer-role', 'op-bar.b.example.com-viewer-role', 'op-foo-viewer-role'],
  );
});

test('the metrics reader role allows GET of /metrics', () => {
  assert.deepEqual(metricsReaderRole({ prefix: 'shop-' }).rules, [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]);
});
