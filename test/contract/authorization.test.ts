import { as, bind, clusterRoleFor, decided, rbac, tokenOf, userWith } from './acting.js';
import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';

const configMaps = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/configmaps`;
const pods = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/pods`;
const deployments = (api: ContractApi): string => `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
const leases = (api: ContractApi): string => `/apis/coordination.k8s.io/v1/namespaces/${api.namespace}/leases`;
const named = { only: ['kind', 'metadata.name', 'code', 'message'] };
const cell = (api: ContractApi, name: string): Promise<unknown> =>
  api.post(configMaps(api), { metadata: { name } }, { quiet: true });

contract(
  'authorization',
  {},
  {
    'names the verb, the resource, and the namespace of a forbidden request': async (api) => {
      await api.get(configMaps(api), as('alice'));
      await api.get(`${configMaps(api)}/a`, as('alice'));
      await api.post(configMaps(api), { metadata: { name: 'a' } }, as('alice'));
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a' } }, as('alice'));
      await api.patch(`${configMaps(api)}/a`, {}, as('alice'));
      await api.delete(`${configMaps(api)}/a`, undefined, as('alice'));
      await api.delete(configMaps(api), undefined, as('alice'));
    },
    'names the API group of a forbidden request': async (api) => {
      await api.get(deployments(api), as('alice'));
      await api.get(`${deployments(api)}/web`, as('alice'));
      await api.patch(`${deployments(api)}/web`, {}, as('alice'));
    },
    'names the cluster scope of a forbidden request': async (api) => {
      await api.get('/api/v1/configmaps', as('alice'));
      await api.get('/api/v1/nodes', as('alice'));
      await api.get('/api/v1/nodes/a', as('alice'));
      await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {}, as('alice'));
      await api.get('/apis/storage.k8s.io/v1/storageclasses', as('alice'));
    },
    'authorizes requests for a namespace in the namespace itself': async (api) => {
      await api.get('/api/v1/namespaces', as('alice'));
      await api.post('/api/v1/namespaces', { metadata: { name: 'a' } }, as('alice'));
      await api.get(`/api/v1/namespaces/${api.namespace}`, as('alice'));
      await api.put(`/api/v1/namespaces/${api.namespace}/finalize`, {}, as('alice'));
      await api.get(`/api/v1/namespaces/${api.namespace}/status`, as('alice'));
    },
    'names the subresource of a forbidden request': async (api) => {
      await api.get(`${pods(api)}/a/log`, as('alice'));
      await api.get(`${pods(api)}/a/status`, as('alice'));
      await api.post(`${pods(api)}/a/exec`, {}, as('alice'));
      await api.post(`${pods(api)}/a/eviction`, {}, as('alice'));
      await api.get(`${deployments(api)}/web/scale`, as('alice'));
      await api.post(`/api/v1/namespaces/${api.namespace}/serviceaccounts/default/token`, {}, as('alice'));
      await api.get(`/api/v1/namespaces/${api.namespace}/services/a/proxy/some/path`, as('alice'));
    },
    'authorizes a watch with the verb watch': async (api) => {
      await api.get(`${configMaps(api)}?watch=true`, as('alice'));
      await api.get(`${configMaps(api)}?watch=0`, as('alice'));
      await api.get(`/api/v1/watch/namespaces/${api.namespace}/configmaps`, as('alice'));
      await api.get(`/api/v1/watch/namespaces/${api.namespace}/configmaps/a`, as('alice'));
    },
    'names the object of a forbidden list whose field selector selects one name': async (api) => {
      await api.get(`${configMaps(api)}?fieldSelector=metadata.name%3Da`, as('alice'));
      await api.get(`${configMaps(api)}?fieldSelector=metadata.name%3D%3Da&watch=1`, as('alice'));
      await api.get(`${configMaps(api)}?fieldSelector=metadata.name!%3Da`, as('alice'));
      await api.get(`${configMaps(api)}?fieldSelector=metadata.namespace%3Da`, as('alice'));
      await api.delete(`${configMaps(api)}?fieldSelector=metadata.name%3Da`, undefined, as('alice'));
    },
    'returns 403 for resources that do not exist': async (api) => {
      await api.get('/api/v1/nothings', as('alice'));
      await api.get('/apis/nothing.example.com/v1/things', as('alice'));
      await api.get(`/apis/apps/v9/namespaces/${api.namespace}/deployments/a`, as('alice'));
      await api.get('/nothing', as('alice'));
      await api.post('/nothing/there', {}, as('alice'));
      await api.request('OPTIONS', '/api/v1/pods', as('alice'));
    },
    'escapes names in the messages of forbidden requests': async (api) => {
      await api.get(`${configMaps(api)}/a`, as('al<i>ce & "bob"'));
      await api.get('/odd/%3Cpath%3E', as('alice'));
    },
    'serves discovery to every authenticated user': async (api) => {
      for (const path of ['/api', '/apis', '/apis/apps', '/apis/apps/v1', '/version', '/healthz']) {
        await api.get(path, as('alice', { only: ['kind', 'code'] }));
      }
      await api.get('/', as('alice'));
      await api.get('/metrics', as('alice'));
      await api.get('/healthz/ping', as('alice'));
    },
    'a Role permits its verbs on its resources in its namespace': async (api) => {
      const user = await userWith(api, { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'create'] });
      await cell(api, 'a');
      await api.get(`${configMaps(api)}/a`, as(user, named));
      await api.post(configMaps(api), { metadata: { name: 'b' } }, as(user, named));
      await api.get(configMaps(api), as(user));
      await api.delete(`${configMaps(api)}/a`, undefined, as(user));
      await api.get('/api/v1/namespaces/default/configmaps/a', as(user));
      await api.get('/api/v1/configmaps', as(user));
      await api.get(`/api/v1/namespaces/${api.namespace}/secrets/a`, as(user));
    },
    'a rule with resourceNames permits only these objects': async (api) => {
      const rule = {
        apiGroups: [''],
        resources: ['configmaps'],
        verbs: ['get', 'list', 'create'],
        resourceNames: ['a'],
      };
      const user = await userWith(api, rule);
      await cell(api, 'a');
      await api.get(`${configMaps(api)}/a`, as(user, named));
      await api.get(`${configMaps(api)}/b`, as(user));
      await api.get(configMaps(api), as(user));
      await api.get(`${configMaps(api)}?fieldSelector=metadata.name%3Da`, as(user, { only: ['kind'] }));
      await api.post(configMaps(api), { metadata: { name: 'a' } }, as(user));
    },
    'a permission for a resource does not include its subresources': async (api) => {
      const user = await userWith(api, { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] });
      await api.get(`${deployments(api)}/web`, as(user));
      await api.get(`${deployments(api)}/web/scale`, as(user));
      await api.get(`${deployments(api)}/web/status`, as(user));
    },
    'a rule can permit one subresource of one resource or of all resources': async (api) => {
      const status = await userWith(api, { apiGroups: ['apps'], resources: ['deployments/status'], verbs: ['get'] });
      await api.get(`${deployments(api)}/web/status`, as(status));
      await api.get(`${deployments(api)}/web`, as(status));
      const scale = await userWith(api, { apiGroups: ['*'], resources: ['*/scale'], verbs: ['get'] }, 'scaler');
      await api.get(`${deployments(api)}/web/scale`, as(scale));
      await api.get(`${deployments(api)}/web`, as(scale));
      await api.get(`${deployments(api)}/web/status`, as(scale));
    },
    'an asterisk permits all verbs, groups, and resources': async (api) => {
      const user = await userWith(api, { apiGroups: ['*'], resources: ['*'], verbs: ['*'] });
      await api.get(`${configMaps(api)}/a`, as(user));
      await api.get(`${deployments(api)}/web/status`, as(user));
      await api.delete(configMaps(api), undefined, as(user, { only: ['kind'] }));
      await api.get(`/apis/nothing.example.com/v1/namespaces/${api.namespace}/things`, as(user));
      await api.get('/api/v1/configmaps', as(user));
      await api.get('/metrics', as(user));
    },
    'a rule permits non-resource URLs by path and by prefix': async (api) => {
      const user = api.name('user');
      await clusterRoleFor(api, {
        rules: [
          { nonResourceURLs: ['/one', '/many/*', '/part*'], verbs: ['get'] },
          { nonResourceURLs: ['/any'], verbs: ['*'] },
        ],
        subjects: [{ kind: 'User', name: user }],
      });
      await decided(api, { user, verb: 'get', path: '/one' });
      for (const path of ['/one', '/one/', '/one/more', '/many', '/many/', '/many/a/b', '/part', '/parting/a']) {
        await api.get(path, as(user));
      }
      await api.post('/one', {}, as(user));
      await api.post('/any', {}, as(user));
    },
    'a RoleBinding grants a ClusterRole in one namespace': async (api) => {
      const user = api.name('user');
      const role = api.name('reader');
      const rules = [
        { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] },
        { nonResourceURLs: ['/metrics'], verbs: ['get'] },
      ];
      await api.post(rbac(api, 'clusterroles'), { metadata: { name: role }, rules }, { quiet: true });
      await bind(api, { role, kind: 'ClusterRole', subjects: [{ kind: 'User', name: user }] });
      await decided(api, { user, verb: 'list', resource: 'configmaps', namespace: api.namespace });
      await api.get(configMaps(api), as(user, { only: ['kind'] }));
      await api.get('/api/v1/configmaps', as(user));
      await api.get('/metrics', as(user));
    },
    'a ClusterRoleBinding grants a ClusterRole in all namespaces': async (api) => {
      const user = api.name('user');
      await clusterRoleFor(api, {
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
        subjects: [{ kind: 'User', name: user }],
      });
      await decided(api, { user, verb: 'list', resource: 'configmaps' });
      await api.get(configMaps(api), as(user, { only: ['kind'] }));
      await api.get('/api/v1/configmaps', as(user, { only: ['kind'] }));
    },
    'requires the verb create for sessions with a Pod, also if a request uses GET': async (api) => {
      const subresources = ['exec', 'attach', 'portforward'];
      const resources = subresources.map((subresource) => `pods/${subresource}`);
      const reader = await userWith(api, { apiGroups: [''], resources, verbs: ['get'] }, 'reader');
      const creator = await userWith(api, { apiGroups: [''], resources, verbs: ['create', 'get'] }, 'creator');
      for (const user of [reader, creator]) {
        for (const subresource of subresources) await api.get(`${pods(api)}/a/${subresource}`, as(user));
      }
    },
    'grants the permissions of a group': async (api) => {
      const group = api.name('group');
      await clusterRoleFor(api, {
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
        subjects: [{ kind: 'Group', name: group }],
      });
      await decided(api, { user: 'alice', groups: [group], verb: 'list', resource: 'configmaps' });
      await api.get(configMaps(api), as('alice', { group, only: ['kind'] }));
      await api.get(configMaps(api), as(group));
    },
    'grants the permissions of a service account': async (api) => {
      const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
      await api.post(rbac(api, 'roles'), { metadata: { name: 'reader' }, rules }, { quiet: true });
      await bind(api, { role: 'reader', subjects: [{ kind: 'ServiceAccount', name: 'default' }] });
      const user = `system:serviceaccount:${api.namespace}:default`;
      await decided(api, { user, verb: 'list', resource: 'configmaps', namespace: api.namespace });
      await api.get(configMaps(api), { as: await tokenOf(api, 'default'), only: ['kind'] });
      await api.get(pods(api), { as: await tokenOf(api, 'default') });
      await api.get(configMaps(api), as(user, { only: ['kind'] }));
    },
    'grants permissions to a service account by its user name and groups': async (api) => {
      const user = `system:serviceaccount:${api.namespace}:default`;
      await clusterRoleFor(api, {
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
        subjects: [{ kind: 'User', name: user }],
      });
      await clusterRoleFor(api, {
        rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }],
        subjects: [{ kind: 'Group', name: `system:serviceaccounts:${api.namespace}` }],
      });
      await decided(api, { user, verb: 'list', resource: 'configmaps' });
      await decided(api, {
        user,
        groups: [`system:serviceaccounts:${api.namespace}`],
        verb: 'list',
        resource: 'secrets',
      });
      const token = await tokenOf(api, 'default');
      await api.get(configMaps(api), { as: token, only: ['kind'] });
      await api.get(`/api/v1/namespaces/${api.namespace}/secrets`, { as: token, only: ['kind'] });
    },
    'reports a binding to an absent role': async (api) => {
      const user = api.name('user');
      const subjects = [{ kind: 'User', name: user }];
      await bind(api, { role: 'missing', subjects });
      await api.eventually(
        'the reason',
        () => api.get(configMaps(api), as(user, { quiet: true })),
        ({ body }) => String(body.message).includes('RBAC'),
      );
      await api.get(configMaps(api), as(user));
    },
    'reports several absent roles together': async (api) => {
      const user = api.name('user');
      const subjects = [{ kind: 'User', name: user }];
      const cluster = api.name('cluster');
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: cluster };
      await api.post(
        rbac(api, 'clusterrolebindings'),
        { metadata: { name: cluster }, roleRef, subjects },
        { quiet: true },
      );
      await bind(api, { role: 'missing', subjects });
      await api.eventually(
        'the reason',
        () => api.get(configMaps(api), as(user, { quiet: true })),
        ({ body }) => String(body.message).includes('[') && String(body.message).includes('missing'),
      );
      await api.get(configMaps(api), as(user));
    },
    'forbids requests after the role is deleted': async (api) => {
      const user = await userWith(api, { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] });
      await api.delete(rbac(api, 'rolebindings'), undefined, { quiet: true });
      await decided(api, { user, verb: 'list', resource: 'configmaps', namespace: api.namespace }, false);
      await api.get(configMaps(api), as(user));
    },
    'permits requests after a rule is added to the role': async (api) => {
      const user = await userWith(api, { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] });
      const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }];
      await api.patch(`${rbac(api, 'roles')}/role-${user}`, { rules }, { quiet: true });
      await decided(api, { user, verb: 'list', resource: 'secrets', namespace: api.namespace });
      await api.get(`/api/v1/namespaces/${api.namespace}/secrets`, as(user, { only: ['kind'] }));
      await api.get(configMaps(api), as(user));
    },
    'requires the create permission for an update that creates an object': async (api) => {
      const user = await userWith(api, {
        apiGroups: ['coordination.k8s.io'],
        resources: ['leases'],
        verbs: ['update'],
      });
      await api.put(`${leases(api)}/a`, { metadata: { name: 'a' } }, as(user));
      await api.put(`${leases(api)}/a`, { metadata: { name: 'a' }, spec: { leaseDurationSeconds: 0 } }, as(user));
    },
    'requires the create permission for an apply that creates an object': async (api) => {
      const user = await userWith(api, { apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] });
      const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };
      const options = { type: 'application/apply-patch+yaml' };
      await api.patch(`${configMaps(api)}/a?fieldManager=me`, applied, as(user, options));
      await cell(api, 'a');
      await api.patch(`${configMaps(api)}/a?fieldManager=me`, applied, as(user, { ...options, only: ['data'] }));
    },
    'requires the deletecollection permission to delete a collection': async (api) => {
      const user = await userWith(api, { apiGroups: [''], resources: ['configmaps'], verbs: ['delete'] });
      await api.delete(configMaps(api), undefined, as(user));
      await cell(api, 'a');
      await api.delete(`${configMaps(api)}/a`, undefined, as(user, { only: ['status'] }));
    },
    'requires the watch permission for a watch': async (api) => {
      const user = await userWith(api, { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] });
      await api.get(configMaps(api), as(user, { only: ['kind'] }));
      await api.get(`${configMaps(api)}?watch=1`, as(user));
    },
    'permits all requests to the group system:masters': async (api) => {
      const masters = { group: 'system:masters' };
      await api.get('/api/v1/nodes', as('alice', { ...masters, only: ['kind'] }));
      await api.get('/nothing', as('alice', masters));
      await api.get('/', as('alice', { ...masters, only: ['kind'] }));
    },
    'authorizes custom resources by group and plural': async (api) => {
      const group = api.group;
      await api.post(
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        {
          metadata: { name: `dogs.${group}` },
          spec: {
            group,
            names: { plural: 'dogs', kind: 'Dog' },
            scope: 'Namespaced',
            versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
          },
        },
        { quiet: true },
      );
      const dogs = `/apis/${group}/v1/namespaces/${api.namespace}/dogs`;
      await api.until(dogs, ({ status }) => status === 200);
      const user = await userWith(api, { apiGroups: [group], resources: ['dogs'], verbs: ['list'] });
      await api.get(dogs, as(user, { only: ['kind'] }));
      await api.post(dogs, {}, as(user));
    },
  },
);
