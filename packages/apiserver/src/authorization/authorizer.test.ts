import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { bootstrap } from '../registry/bootstrap.js';
import { systemContext } from '../registry/requests/request-context.js';
import { Registry } from '../registry/registry.js';
import { Store } from '../storage/store.js';
import type { ResourceAttributes } from './attributes.js';
import { Authorizer } from './authorizer.js';

const group = 'rbac.authorization.k8s.io';

function bench(): { readonly registry: Registry; readonly authorizer: Authorizer } {
  const registry = new Registry({ store: new Store(), clock: new SystemClock() });
  bootstrap(registry);
  return { registry, authorizer: new Authorizer(registry.store) };
}

const question = (more: Partial<ResourceAttributes> = {}): ResourceAttributes => ({
  kind: 'resource',
  user: { name: 'alice', groups: ['system:authenticated'] },
  verb: 'list',
  group: '',
  resource: 'pods',
  subresource: '',
  namespace: 'default',
  name: '',
  ...more,
});

test('a change of a role or binding applies to the next decision', () => {
  const { registry, authorizer } = bench();
  const context = systemContext('test', 'create');
  const roles = registry.builtIn(`${group}/v1/roles`);
  const bindings = registry.builtIn(`${group}/v1/rolebindings`);
  const metadata = { name: 'reader', namespace: 'default' };
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }];
  assert.deepEqual(authorizer.decide(question()), { allowed: false, reason: '' });
  bindings.create(
    { metadata, roleRef: { kind: 'Role', name: 'reader' }, subjects: [{ kind: 'User', name: 'alice' }] },
    context,
  );
  assert.deepEqual(authorizer.decide(question()), {
    allowed: false,
    reason: `RBAC: role.${group} "reader" not found`,
  });
  roles.create({ metadata, rules }, context);
  assert.deepEqual(authorizer.decide(question()), {
    allowed: true,
    reason: 'RBAC: allowed by RoleBinding "reader/default" of Role "reader" to User "alice"',
  });
  assert.equal(authorizer.allows(question({ namespace: 'kube-system' })), false);
  assert.equal(authorizer.allows(question({ namespace: '' })), false);
  roles.update(metadata, (live) => ({ ...live, rules: [] }), context);
  assert.equal(authorizer.allows(question()), false);
});

test('the default roles view, edit, admin and cluster-admin of a new cluster grant increasing permissions', () => {
  const { registry, authorizer } = bench();
  const bindings = registry.builtIn(`${group}/v1/clusterrolebindings`);
  for (const name of ['view', 'edit', 'admin', 'cluster-admin']) {
    const subjects = [{ kind: 'Group', name: `${name}-group` }];
    bindings.create(
      { metadata: { name: `all-${name}` }, roleRef: { kind: 'ClusterRole', name }, subjects },
      systemContext('test', 'create'),
    );
  }
  const may = (role: string, more: Partial<ResourceAttributes>): boolean =>
    authorizer.allows(question({ ...more, user: { name: 'u', groups: [`${role}-group`] } }));
  assert.deepEqual(
    ['view', 'edit', 'admin', 'cluster-admin'].map((role) => [
      may(role, {}),
      may(role, { resource: 'secrets' }),
      may(role, { verb: 'create', group: 'apps', resource: 'deployments' }),
      may(role, { verb: 'create', group, resource: 'rolebindings' }),
      may(role, { resource: 'nodes', namespace: '' }),
    ]),
    [
      [true, false, false, false, false],
      [true, true, true, false, false],
      [true, true, true, true, false],
      [true, true, true, true, true],
    ],
  );
});

test('decides 10,000 requests with 1,000 bindings in less than 2 s of CPU time', () => {
  const { registry, authorizer } = bench();
  const { store } = registry;
  for (let index = 0; index < 1000; index += 1) {
    store.create(`${group}/rolebindings`, {
      apiVersion: `${group}/v1`,
      kind: 'RoleBinding',
      metadata: { name: `b${index}`, namespace: 'default', uid: String(index) },
      roleRef: { kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'User', name: `user-${index}` }],
    });
  }
  const begin = process.cpuUsage();
  for (let index = 0; index < 10_000; index += 1) {
    assert.ok(authorizer.allows(question({ user: { name: `user-${index % 1000}`, groups: [] } })));
  }
  const { user } = process.cpuUsage(begin);
  assert.ok(user < 2_000_000, `the decisions took ${user / 1000} ms of CPU time`);
});
