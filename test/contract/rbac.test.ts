import { as, bind, clusterRoleFor, decided, rbac, userWith } from './acting.js';
import { contract } from './contract.js';
import type { ContractApi, RequestOptions } from './contract-api.js';

const group = 'rbac.authorization.k8s.io';
const reading = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] };
const table: RequestOptions = {
  headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
  only: ['columnDefinitions.*.name', 'rows.*.cells'],
};
const managers = {
  apiGroups: [group],
  resources: ['roles', 'rolebindings'],
  verbs: ['create', 'get', 'update', 'patch'],
};

/** Creates a user who may write roles and bindings, and who has the additional rules. */
async function manager(api: ContractApi, ...more: readonly object[]): Promise<string> {
  const user = await userWith(api, managers, 'manager');
  await api.patch(`${rbac(api, 'roles')}/role-${user}`, { rules: [managers, ...more] }, { quiet: true });
  for (const rule of more as readonly {
    apiGroups: string[];
    resources: string[];
    verbs: string[];
    resourceNames?: string[];
  }[]) {
    await decided(api, {
      user,
      verb: rule.verbs[0] ?? '',
      group: rule.apiGroups[0] ?? '',
      resource: rule.resources[0]?.split('/')[0] ?? '',
      subresource: rule.resources[0]?.split('/')[1] ?? '',
      name: rule.resourceNames?.[0] ?? '',
      namespace: api.namespace,
    });
  }
  return user;
}

contract(
  'rbac',
  {},
  {
    'stores and returns a Role': async (api) => {
      await api.post(rbac(api, 'roles'), { metadata: { name: 'a' }, rules: [reading] });
      await api.post(rbac(api, 'roles'), { metadata: { name: 'none' } });
      await api.post(rbac(api, 'roles'), { metadata: { name: 'empty' }, rules: [] });
      await api.get(`${rbac(api, 'roles')}/a`);
    },
    'accepts any role name that is valid in a path': async (api) => {
      await api.post(rbac(api, 'roles'), { metadata: { name: 'System:a B' }, rules: [] }, { only: ['metadata.name'] });
      await api.post(rbac(api, 'roles'), { metadata: { name: 'a/b' }, rules: [] });
      await api.post(rbac(api, 'roles'), { metadata: { name: 'a%b' }, rules: [] });
      await api.post(rbac(api, 'roles'), { metadata: { name: '..' }, rules: [] });
    },
    'rejects a rule without verbs, API groups, or resources': async (api) => {
      const refuse = (rule: object): Promise<unknown> =>
        api.post(rbac(api, 'roles'), { metadata: { name: 'a' }, rules: [reading, rule] });
      await refuse({});
      await refuse({ verbs: ['get'] });
      await refuse({ verbs: ['get'], apiGroups: [''] });
      await refuse({ verbs: ['get'], resources: ['pods'] });
      await refuse({ verbs: [], apiGroups: [], resources: [] });
    },
    'rejects a Role with nonResourceURLs': async (api) => {
      const refuse = (rule: object): Promise<unknown> =>
        api.post(rbac(api, 'roles'), { metadata: { name: 'a' }, rules: [rule] });
      await refuse({ verbs: ['get'], nonResourceURLs: ['/a'] });
      await refuse({ verbs: ['get'], nonResourceURLs: ['/a'], apiGroups: [''], resources: ['pods'] });
    },
    'rejects a ClusterRole rule with both resources and nonResourceURLs': async (api) => {
      const name = api.name('role');
      const refuse = (rule: object): Promise<unknown> =>
        api.post(rbac(api, 'clusterroles'), { metadata: { name }, rules: [rule] });
      await refuse({ verbs: ['get'], nonResourceURLs: ['/a', '/b/*'], resources: ['pods'], apiGroups: [''] });
      await refuse({ nonResourceURLs: ['/a'] });
      await api.post(rbac(api, 'clusterroles'), {
        metadata: { name },
        rules: [{ verbs: ['get'], nonResourceURLs: ['/a'] }],
      });
    },
    'rejects an empty or invalid aggregationRule': async (api) => {
      const refuse = (aggregationRule: object): Promise<unknown> =>
        api.post(rbac(api, 'clusterroles'), { metadata: { name: api.name('role') }, aggregationRule });
      await refuse({});
      await refuse({ clusterRoleSelectors: [] });
      await refuse({ clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Like' }] }] });
      await refuse({ clusterRoleSelectors: [{ matchLabels: { '-': 'b' } }] });
    },
    'defaults the API groups of subjects': async (api) => {
      await api.post(rbac(api, 'rolebindings'), {
        metadata: { name: 'a' },
        roleRef: { kind: 'Role', name: 'anything' },
        subjects: [
          { kind: 'User', name: 'u' },
          { kind: 'Group', name: 'g' },
          { kind: 'ServiceAccount', name: 's' },
        ],
      });
      await api.post(rbac(api, 'rolebindings'), {
        metadata: { name: 'nobody' },
        roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'view' },
      });
    },
    'rejects an invalid roleRef': async (api) => {
      const refuse = (roleRef: object | undefined): Promise<unknown> =>
        api.post(rbac(api, 'rolebindings'), { metadata: { name: 'a' }, roleRef });
      await refuse(undefined);
      await refuse({ kind: 'Role' });
      await refuse({ kind: 'Deployment', name: 'a' });
      await refuse({ kind: 'Role', name: 'a/b' });
      await refuse({ apiGroup: 'apps', kind: 'Role', name: 'a' });
    },
    'rejects a ClusterRoleBinding to a Role': async (api) => {
      const name = api.name('binding');
      await api.post(rbac(api, 'clusterrolebindings'), { metadata: { name }, roleRef: { kind: 'Role', name: 'a' } });
    },
    'rejects invalid subjects': async (api) => {
      const refuse = (plural: string, subject: object): Promise<unknown> =>
        api.post(rbac(api, plural), {
          metadata: { name: 'a' },
          roleRef: { kind: 'ClusterRole', name: 'view' },
          subjects: [subject],
        });
      await refuse('rolebindings', {});
      await refuse('rolebindings', { kind: 'User' });
      await refuse('rolebindings', { kind: 'Robot', name: 'r2' });
      await refuse('rolebindings', { kind: 'User', name: 'u', apiGroup: 'apps' });
      await refuse('rolebindings', { kind: 'Group', name: 'g', apiGroup: 'v1' });
      await refuse('rolebindings', { kind: 'ServiceAccount', name: 'S_A' });
      await refuse('rolebindings', { kind: 'ServiceAccount', name: 's', apiGroup: group });
      await refuse('clusterrolebindings', { kind: 'ServiceAccount', name: 's' });
    },
    'rejects a change of the roleRef': async (api) => {
      await bind(api, { role: 'a', subjects: [] });
      const path = `${rbac(api, 'rolebindings')}/a`;
      await api.patch(path, { roleRef: { name: 'b' } });
      await api.patch(path, { roleRef: { kind: 'ClusterRole' } });
      await api.patch(path, { subjects: [{ kind: 'User', name: 'u' }] });
    },
    'creates a Role by an update': async (api) => {
      const path = `${rbac(api, 'roles')}/a`;
      await api.put(path, { metadata: { name: 'a' }, rules: [reading] });
      await api.put(path, { metadata: { name: 'a' }, rules: [] });
    },
    'returns roles and bindings as tables': async (api) => {
      await api.post(rbac(api, 'roles'), { metadata: { name: 'a' }, rules: [reading] }, { quiet: true });
      await bind(api, {
        role: 'a',
        subjects: [
          { kind: 'User', name: 'u', apiGroup: group },
          { kind: 'User', name: 'w', apiGroup: group },
          { kind: 'Group', name: 'g', apiGroup: group },
          { kind: 'ServiceAccount', name: 's', namespace: 'n' },
          { kind: 'ServiceAccount', name: 't' },
        ],
      });
      await api.get(rbac(api, 'roles'), table);
      // The table without the age, which depends on the speed of the server.
      const cells = [0, 1, 3, 4, 5].map((at) => `rows.*.cells.${at}`);
      await api.get(rbac(api, 'rolebindings'), { ...table, only: ['columnDefinitions.*.name', ...cells] });
      await api.get(`${rbac(api, 'clusterrolebindings')}?fieldSelector=metadata.name%3Dcluster-admin`, {
        ...table,
        only: ['columnDefinitions'],
      });
    },
    'creates the default roles and bindings': async (api) => {
      const only = { only: ['metadata.labels', 'metadata.annotations', 'rules', 'roleRef', 'subjects'] };
      for (const name of ['cluster-admin', 'system:discovery', 'system:basic-user', 'system:public-info-viewer']) {
        await api.get(`${rbac(api, 'clusterroles')}/${name}`, only);
        await api.get(`${rbac(api, 'clusterrolebindings')}/${name}`, only);
      }
      await api.get(`/apis/${group}/v1/namespaces/kube-system/roles/extension-apiserver-authentication-reader`, only);
      await api.get(`/apis/${group}/v1/namespaces/kube-public/rolebindings/system:controller:bootstrap-signer`, only);
    },
    'rejects rules that exceed the permissions of the user': async (api) => {
      const user = await manager(api);
      const write = (rules: readonly object[], name = 'a'): Promise<unknown> =>
        api.post(rbac(api, 'roles'), { metadata: { name }, rules }, as(user));
      await write([reading]);
      await write([
        { apiGroups: ['', 'apps'], resources: ['a', 'b/c'], verbs: ['get', '*'], resourceNames: ['x', 'y'] },
      ]);
      await write([{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]);
      await write([], 'none');
      await write([{ apiGroups: [group], resources: ['roles'], verbs: ['get'] }], 'held');
      await write([{ apiGroups: [group], resources: ['roles', 'clusterroles'], verbs: ['get', 'delete'] }], 'half');
    },
    'accepts narrower rules than the permissions of the user': async (api) => {
      const user = await manager(api, { apiGroups: ['*'], resources: ['*/status', 'pods'], verbs: ['*'] });
      const write = (name: string, rule: object): Promise<unknown> =>
        api.post(rbac(api, 'roles'), { metadata: { name }, rules: [rule] }, as(user, { only: ['code', 'message'] }));
      await write('a', { apiGroups: ['apps'], resources: ['deployments/status'], verbs: ['get'] });
      await write('b', { apiGroups: [''], resources: ['pods'], verbs: ['get', 'watch'], resourceNames: ['x'] });
      await write('c', { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] });
    },
    "rejects rules without resourceNames if the user's permissions have resourceNames": async (api) => {
      const user = await manager(api, { ...reading, resourceNames: ['x', 'y'] }, { ...reading, verbs: ['watch'] });
      const write = (name: string, rule: object): Promise<unknown> =>
        api.post(rbac(api, 'roles'), { metadata: { name }, rules: [rule] }, as(user, { only: ['code', 'message'] }));
      await write('a', { ...reading, resourceNames: ['x'] });
      await write('b', { ...reading, resourceNames: ['x', 'z'] });
      await write('c', reading);
    },
    'checks the permissions of the user for a changed role, but not for an unchanged role': async (api) => {
      const user = await manager(api);
      await api.post(rbac(api, 'roles'), { metadata: { name: 'a' }, rules: [reading] }, { quiet: true });
      const path = `${rbac(api, 'roles')}/a`;
      await api.patch(path, { metadata: { labels: { a: 'b' } } }, as(user));
      await api.patch(path, { rules: [] }, as(user, { only: ['rules', 'message'] }));
      await api.patch(path, { rules: [reading] }, as(user));
      await api.patch(
        path,
        { metadata: { finalizers: ['example.com/a'] } },
        as(user, { only: ['metadata.finalizers'] }),
      );
      await api.patch(path, { metadata: { finalizers: null } }, { quiet: true });
    },
    'accepts any rules from a user with the permission escalate': async (api) => {
      const user = await manager(api, { apiGroups: [group], resources: ['roles'], verbs: ['escalate'] });
      await api.post(rbac(api, 'roles'), { metadata: { name: 'a' }, rules: [reading] }, as(user, { only: ['rules'] }));
      await api.patch(
        `${rbac(api, 'roles')}/a`,
        { rules: [{ ...reading, verbs: ['*'] }] },
        as(user, { only: ['rules'] }),
      );
    },
    'rejects a binding to a role that exceeds the permissions of the user': async (api) => {
      const user = await manager(api);
      await api.post(rbac(api, 'roles'), { metadata: { name: 'reader' }, rules: [reading] }, { quiet: true });
      const give = (kind: string, name: string): Promise<unknown> =>
        api.post(
          rbac(api, 'rolebindings'),
          { metadata: { name: 'a' }, roleRef: { apiGroup: group, kind, name }, subjects: [] },
          as(user),
        );
      await give('Role', 'reader');
      await give('ClusterRole', 'cluster-admin');
      await give('Role', 'missing');
      await give('ClusterRole', 'missing-cluster-role');
      await give('Robot', 'r2');
    },
    'accepts a binding to a role from a user who has all permissions of the role': async (api) => {
      const user = await manager(api, reading);
      await api.post(rbac(api, 'roles'), { metadata: { name: 'reader' }, rules: [reading] }, { quiet: true });
      const roleRef = { apiGroup: group, kind: 'Role', name: 'reader' };
      const binding = { metadata: { name: 'a' }, roleRef, subjects: [{ kind: 'User', name: 'u' }] };
      await api.post(rbac(api, 'rolebindings'), binding, as(user, { only: ['roleRef', 'subjects'] }));
    },
    'accepts a binding to a role from a user with the permission bind': async (api) => {
      const user = await manager(api, { apiGroups: [group], resources: ['clusterroles'], verbs: ['bind'] });
      const give = (name: string, role: object): Promise<unknown> =>
        api.post(
          rbac(api, 'rolebindings'),
          { metadata: { name }, roleRef: { apiGroup: group, ...role }, subjects: [] },
          as(user, { only: ['roleRef', 'code', 'message'] }),
        );
      await give('a', { kind: 'ClusterRole', name: 'cluster-admin' });
      await give('b', { kind: 'ClusterRole', name: 'missing-cluster-role' });
      await give('c', { kind: 'Role', name: 'missing' });
    },
    'checks the permissions of the user for an updated binding': async (api) => {
      const user = await manager(api);
      await api.post(rbac(api, 'roles'), { metadata: { name: 'reader' }, rules: [reading] }, { quiet: true });
      await bind(api, { role: 'reader', subjects: [] });
      const path = `${rbac(api, 'rolebindings')}/reader`;
      await api.patch(path, { subjects: [{ kind: 'User', name: 'u', apiGroup: group }] }, as(user));
      await api.patch(path, { metadata: { labels: { a: 'b' } } }, as(user));
    },
    'rejects cluster-wide rules and bindings from a user with permissions in one namespace': async (api) => {
      const user = await manager(api, reading);
      await clusterRoleFor(api, {
        rules: [{ apiGroups: [group], resources: ['clusterroles', 'clusterrolebindings'], verbs: ['create'] }],
        subjects: [{ kind: 'User', name: user }],
      });
      await decided(api, { user, verb: 'create', group, resource: 'clusterroles' });
      const name = api.name('role');
      await api.post(rbac(api, 'clusterroles'), { metadata: { name }, rules: [reading] }, as(user));
      await api.post(
        rbac(api, 'clusterroles'),
        { metadata: { name }, rules: [{ nonResourceURLs: ['/metrics', '/api/*'], verbs: ['get', 'post'] }] },
        as(user),
      );
      await api.post(
        rbac(api, 'clusterrolebindings'),
        { metadata: { name }, roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' } },
        as(user),
      );
      const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'missing-cluster-role' };
      await api.post(rbac(api, 'clusterrolebindings'), { metadata: { name }, roleRef }, as(user));
    },
    'rejects an aggregationRule from a user without all permissions': async (api) => {
      const user = api.name('user');
      await clusterRoleFor(api, {
        rules: [{ apiGroups: [group], resources: ['clusterroles'], verbs: ['create'] }],
        subjects: [{ kind: 'User', name: user }],
      });
      await decided(api, { user, verb: 'create', group, resource: 'clusterroles' });
      const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
      await api.post(rbac(api, 'clusterroles'), { metadata: { name: api.name('role') }, aggregationRule }, as(user));
    },
    'aggregates the rules of the selected ClusterRoles': async (api) => {
      const label = { [`${api.group}/aggregate`]: 'true' };
      const parts = [reading, { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] }];
      for (const [index, rule] of [...parts, reading].entries()) {
        const name = api.name(`part-${index}`);
        await api.post(
          rbac(api, 'clusterroles'),
          { metadata: { name, labels: label }, rules: [rule] },
          { quiet: true },
        );
      }
      const name = api.name('whole');
      const aggregationRule = { clusterRoleSelectors: [{ matchLabels: label }] };
      await api.post(rbac(api, 'clusterroles'), { metadata: { name }, aggregationRule });
      const path = `${rbac(api, 'clusterroles')}/${name}`;
      await api.until(path, ({ body }) => body?.rules?.length === 2);
      await api.get(path);
    },
    'updates aggregated rules with the selected ClusterRoles': async (api) => {
      const labels = { [`${api.group}/aggregate`]: 'true' };
      const part = api.name('part');
      await api.post(
        rbac(api, 'clusterroles'),
        { metadata: { name: part, labels }, rules: [reading] },
        { quiet: true },
      );
      const name = api.name('whole');
      const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] };
      await api.post(rbac(api, 'clusterroles'), { metadata: { name }, aggregationRule, rules: [] }, { quiet: true });
      const path = `${rbac(api, 'clusterroles')}/${name}`;
      await api.until(path, ({ body }) => body?.rules?.length === 1);
      await api.patch(`${rbac(api, 'clusterroles')}/${part}`, { metadata: { labels: null } }, { quiet: true });
      await api.until(path, ({ body }) => (body?.rules ?? []).length === 0);
      await api.get(path);
    },
    'returns 400 for a ClusterRoleBinding to a Role from a restricted user': async (api) => {
      const managing = { ...managers, resources: ['clusterrolebindings'] };
      const user = api.name('user');
      await clusterRoleFor(api, { rules: [managing], subjects: [{ kind: 'User', name: user, apiGroup: group }] });
      await decided(api, { user, verb: 'create', group, resource: 'clusterrolebindings' });
      const binding = {
        metadata: { name: api.name('binding') },
        roleRef: { apiGroup: group, kind: 'Role', name: 'a' },
      };
      await api.post(rbac(api, 'clusterrolebindings'), binding, as(user));
    },
    'names absent bound roles in an error about missing permissions': async (api) => {
      const user = await manager(api);
      await bind(api, { role: 'none', subjects: [{ kind: 'User', name: user, apiGroup: group }] });
      await api.eventually(
        'the binding',
        () => api.post(rbac(api, 'roles'), { metadata: { name: 'b' }, rules: [reading] }, as(user, { quiet: true })),
        ({ body }) => String(body.message).includes('resolution errors'),
      );
      await api.post(rbac(api, 'roles'), { metadata: { name: 'b' }, rules: [reading] }, as(user));
      await api.get('/api/v1/nodes', as(user));
    },
  },
);
