import { as, asNobody, clusterRoleFor, decided, rbac, tokenOf } from './acting.js';
import { contract } from './contract.js';
import type { ContractAnswer, ContractApi } from './contract-api.js';

const selfReviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const tokenReviews = '/apis/authentication.k8s.io/v1/tokenreviews';
const accounts = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/serviceaccounts`;
const secrets = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/secrets`;
const pods = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/pods`;
const configMaps = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/configmaps`;

const pod = (account: string): object => ({
  metadata: { name: 'bound' },
  spec: { schedulerName: 'none', serviceAccountName: account, containers: [{ name: 'c', image: 'nginx' }] },
});
const tokenSecret = (account: string): object => ({
  type: 'kubernetes.io/service-account-token',
  metadata: { name: 'held', annotations: { 'kubernetes.io/service-account.name': account } },
});
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

/** Waits for the token in a Secret and returns it. */
async function heldToken(api: ContractApi): Promise<string> {
  const { body } = await api.until(`${secrets(api)}/held`, (answer) => answer.body?.data?.token !== undefined);
  return Buffer.from(String(body.data.token), 'base64').toString();
}

/**
 * Waits until the server rejects a token. A server that processes a deletion late accepts the token, and caches this result for ten
 * seconds.
 */
async function refused(api: ContractApi, token: string): Promise<void> {
  const review = (): Promise<ContractAnswer> => api.post(tokenReviews, { spec: { token } }, { quiet: true });
  await api.eventually(tokenReviews, review, ({ body }) => body.status.authenticated !== true);
}

contract(
  'authentication',
  {},
  {
    'serves health and version without credentials': async (api) => {
      for (const path of ['/healthz', '/livez', '/readyz']) await api.get(path, asNobody());
      await api.get('/version', asNobody({ only: ['major'] }));
    },
    'returns 403 for all other paths without credentials': async (api) => {
      for (const path of [
        '/',
        '/api',
        '/apis',
        '/apis/apps/v1',
        '/openapi/v2',
        '/openapi/v3',
        '/metrics',
        '/nothing',
      ]) {
        await api.get(path, asNobody());
      }
      await api.get('/api/v1/pods', asNobody());
      await api.post(configMaps(api), { metadata: { name: 'a' } }, asNobody());
    },
    'returns 401 for an unknown token on every path': async (api) => {
      for (const path of ['/api', '/healthz', '/version', '/api/v1/pods', '/nothing'])
        await api.get(path, { as: 'unknown' });
      await api.post(selfReviews, {}, { as: 'unknown' });
    },
    'treats an Authorization header without a bearer token as missing credentials': async (api) => {
      for (const authorization of ['Bearer', 'Bearer ', 'Bearer  two-blanks', 'Digest abc', 'token']) {
        await api.get('/api', { headers: { authorization } });
      }
      await api.get('/api', { headers: { authorization: 'bEaReR unknown' } });
    },
    'ignores the text after a space in a bearer token': async (api) => {
      const token = await tokenOf(api, 'default');
      await api.get('/api', { only: ['kind'], headers: { authorization: `bearer ${token} and more` } });
    },
    'authenticates a service account by its token': async (api) => {
      await api.post(selfReviews, {}, { as: await tokenOf(api, 'default') });
    },
    'defaults a TokenRequest': async (api) => {
      await api.post(`${accounts(api)}/default/token`, {});
      await api.post(`${accounts(api)}/default/token?dryRun=All`, {});
    },
    'issues a token with the claims of a real server': async (api) => {
      const claims = claimsOf(await tokenOf(api, 'default', { expirationSeconds: 1000 }));
      await api.post(configMaps(api), {
        metadata: { name: 'claims' },
        data: {
          names: Object.keys(claims).toSorted().join(),
          audience: String(claims['aud']),
          issuer: String(claims['iss']),
          subject: String(claims['sub']),
          lives: String(Number(claims['exp']) - Number(claims['iat'])),
          bound: JSON.stringify(claims['kubernetes.io']),
        },
      });
    },
    'rejects a TokenRequest with less than ten minutes or with an excessive duration': async (api) => {
      await api.post(`${accounts(api)}/default/token`, { spec: { expirationSeconds: 599 } });
      await api.post(`${accounts(api)}/default/token`, { spec: { expirationSeconds: 600 } }, { only: ['spec'] });
      await api.post(`${accounts(api)}/default/token`, { spec: { expirationSeconds: 0 } });
      await api.post(`${accounts(api)}/default/token`, { spec: { expirationSeconds: 4_294_967_297 } });
    },
    'rejects a token with another audience': async (api) => {
      const token = await tokenOf(api, 'default', { audiences: ['vault'] });
      await api.get('/api', { as: token });
      const both = await tokenOf(api, 'default', {
        audiences: ['vault', 'https://kubernetes.default.svc.cluster.local'],
      });
      await api.get('/api', { as: both, only: ['kind'] });
    },
    'rejects a TokenRequest with the name, namespace, or uid of another account': async (api) => {
      await api.post(`${accounts(api)}/default/token`, { metadata: { name: 'other' } });
      await api.post(`${accounts(api)}/default/token`, { metadata: { namespace: 'other' } });
      await api.post(`${accounts(api)}/default/token`, { metadata: { uid: 'other' } });
      const { body } = await api.get(`${accounts(api)}/default`, { quiet: true });
      const { name, namespace, uid } = body.metadata;
      await api.post(`${accounts(api)}/default/token`, { metadata: { name, namespace, uid } });
    },
    'creates tokens only for existing accounts, and serves no other verbs': async (api) => {
      await api.post(`${accounts(api)}/nobody/token`, {});
      await api.get(`${accounts(api)}/default/token`);
      await api.delete(`${accounts(api)}/default/token`);
      await api.put(`${accounts(api)}/default/token`, {});
    },
    'reports unknown fields of a TokenRequest': async (api) => {
      await api.post(`${accounts(api)}/default/token`, { spec: { audience: 'a' } }, { only: ['spec'] });
      await api.post(`${accounts(api)}/default/token?fieldValidation=Strict`, { spec: { audience: 'a' } });
    },
    'includes the Pod in the user of a bound token': async (api) => {
      await api.post(pods(api), pod('default'), { quiet: true });
      const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'bound' };
      await api.post(`${accounts(api)}/default/token`, { spec: { boundObjectRef } });
      await api.post(selfReviews, {}, { as: await tokenOf(api, 'default', { boundObjectRef }) });
    },
    'rejects a token bound to a Pod of another account': async (api) => {
      await api.post(accounts(api), { metadata: { name: 'other' } }, { quiet: true });
      await api.post(pods(api), pod('default'), { quiet: true });
      await api.post(`${accounts(api)}/other/token`, {
        spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'bound' } },
      });
    },
    'returns 404 for a token bound to an absent object': async (api) => {
      const request = (boundObjectRef: object): Promise<unknown> =>
        api.post(`${accounts(api)}/default/token`, { spec: { boundObjectRef } });
      await request({ apiVersion: 'v1', kind: 'Pod', name: 'nothing' });
      await request({ apiVersion: 'v1', kind: 'Secret', name: 'nothing' });
      await request({ apiVersion: 'v1', kind: 'Node', name: 'no-such-node' });
    },
    'rejects a token bound to a kind other than Pod, Secret, or Node': async (api) => {
      const request = (boundObjectRef: object): Promise<unknown> =>
        api.post(`${accounts(api)}/default/token`, { spec: { boundObjectRef } });
      await request({ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' });
      await request({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' });
      await request({ apiVersion: 'example.com/v1', kind: 'Pod', name: 'a' });
      await request({});
    },
    'rejects a token bound to an object with another uid': async (api) => {
      await api.post(secrets(api), { metadata: { name: 'held' } }, { quiet: true });
      const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name: 'held', uid: 'other' };
      await api.post(`${accounts(api)}/default/token`, { spec: { boundObjectRef } });
    },
    'rejects a token after its bound Secret is deleted': async (api) => {
      await api.post(secrets(api), { metadata: { name: 'held' } }, { quiet: true });
      const token = await tokenOf(api, 'default', {
        boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'held' },
      });
      await api.delete(`${secrets(api)}/held`, undefined, { quiet: true });
      await refused(api, token);
      await api.post(tokenReviews, { spec: { token } });
      await api.get('/api', { as: token });
    },
    'rejects a token after its bound Secret is recreated': async (api) => {
      await api.post(secrets(api), { metadata: { name: 'held' } }, { quiet: true });
      const token = await tokenOf(api, 'default', {
        boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'held' },
      });
      await api.delete(`${secrets(api)}/held`, undefined, { quiet: true });
      await api.post(secrets(api), { metadata: { name: 'held' } }, { quiet: true });
      await refused(api, token);
      await api.post(tokenReviews, { spec: { token } });
    },
    'rejects a token after its account is recreated': async (api) => {
      await api.post(accounts(api), { metadata: { name: 'brief' } }, { quiet: true });
      const token = await tokenOf(api, 'brief');
      await api.delete(`${accounts(api)}/brief`, undefined, { quiet: true });
      await api.post(accounts(api), { metadata: { name: 'brief' } }, { quiet: true });
      await refused(api, token);
      await api.post(tokenReviews, { spec: { token } });
    },
    'stores a token in a Secret of type service-account-token': async (api) => {
      await api.post(secrets(api), tokenSecret('default'));
      const token = await heldToken(api);
      await api.get(`${secrets(api)}/held`, { only: ['metadata', 'type'] });
      const claims = claimsOf(token);
      await api.post(configMaps(api), { metadata: { name: 'claims' }, data: { claims: JSON.stringify(claims) } });
      await api.post(selfReviews, {}, { as: token });
    },
    'rejects the token of a Secret after the Secret is deleted': async (api) => {
      await api.post(secrets(api), tokenSecret('default'), { quiet: true });
      const token = await heldToken(api);
      await api.delete(`${secrets(api)}/held`, undefined, { quiet: true });
      await refused(api, token);
      await api.post(tokenReviews, { spec: { token } });
    },
    'deletes a token Secret of an absent account': async (api) => {
      await api.post(secrets(api), tokenSecret('nobody'), { quiet: true });
      await api.until(`${secrets(api)}/held`, ({ status }) => status === 404);
      await api.get(`${secrets(api)}/held`);
    },
    'deletes a token Secret with its account': async (api) => {
      await api.post(accounts(api), { metadata: { name: 'brief' } }, { quiet: true });
      await api.post(secrets(api), tokenSecret('brief'), { quiet: true });
      await heldToken(api);
      await api.delete(`${accounts(api)}/brief`, undefined, { quiet: true });
      await api.until(`${secrets(api)}/held`, ({ status }) => status === 404);
      await api.get(`${secrets(api)}/held`);
    },
    'rejects a token Secret without the annotation for its account': async (api) => {
      await api.post(secrets(api), { type: 'kubernetes.io/service-account-token', metadata: { name: 'held' } });
    },
    'creates the ConfigMap kube-root-ca.crt in every namespace': async (api) => {
      const path = `${configMaps(api)}/kube-root-ca.crt`;
      await api.until(path, ({ status }) => status === 200);
      await api.get(path, { only: ['kind', 'metadata'] });
    },
    'restores a changed or deleted ConfigMap kube-root-ca.crt': async (api) => {
      const path = `${configMaps(api)}/kube-root-ca.crt`;
      const { body } = await api.until(path, ({ status }) => status === 200);
      await api.patch(path, { data: { 'ca.crt': 'changed', more: 'x' } }, { quiet: true });
      await api.until(path, (answer) => answer.body?.data?.['ca.crt'] === body.data['ca.crt']);
      await api.get(path, { only: ['metadata.name', 'data.more'] });
      await api.delete(path, undefined, { quiet: true });
      await api.until(path, ({ status }) => status === 200);
    },
    'permits the administrator to impersonate any user': async (api) => {
      await api.post(selfReviews, {}, as('alice'));
      await api.post(selfReviews, {}, as('alice', { group: 'painters' }));
      await api.post(selfReviews, {}, as('alice', { headers: { 'impersonate-uid': '1-2-3' } }));
      await api.post(
        selfReviews,
        {},
        as('alice', { headers: { 'impersonate-extra-Scopes': 'view', 'impersonate-extra-acme.com%2Fproject': 'a b' } }),
      );
    },
    'adds the groups of an impersonated service account': async (api) => {
      await api.post(selfReviews, {}, as(`system:serviceaccount:${api.namespace}:default`));
      await api.post(selfReviews, {}, as(`system:serviceaccount:${api.namespace}:default`, { group: 'painters' }));
      await api.post(selfReviews, {}, as('system:serviceaccount:UPPER:default'));
    },
    'treats the impersonated user system:anonymous as unauthenticated': async (api) => {
      await api.post(selfReviews, {}, as('system:anonymous'));
      await api.get('/api', as('system:anonymous'));
      await api.get('/api', as('alice', { group: 'system:unauthenticated' }));
    },
    'adds the group system:nodes to an impersonated node': async (api) => {
      await api.post(selfReviews, {}, as('system:node:n1'));
      await api.post(selfReviews, {}, as('system:node:n1', { group: 'painters' }));
    },
    'rejects impersonated groups, uids, or extra fields without a user': async (api) => {
      await api.get('/api', { headers: { 'impersonate-group': 'painters' } });
      await api.get('/api', { headers: { 'impersonate-uid': '1-2-3' } });
      await api.get('/api', { headers: { 'impersonate-extra-scopes': 'view' } });
    },
    'rejects impersonation without permission': async (api) => {
      const token = await tokenOf(api, 'default');
      const requested = (path: string, headers: Record<string, string>): Promise<unknown> =>
        api.get(path, { as: token, headers });
      await requested('/api', { 'impersonate-user': 'alice' });
      await requested(configMaps(api), { 'impersonate-user': 'alice' });
      await requested(`${configMaps(api)}/a`, { 'impersonate-user': `system:serviceaccount:${api.namespace}:default` });
      await requested('/apis/apps/v1/deployments', { 'impersonate-user': 'system:node:n1' });
      await requested('/apis/apps/v1/deployments', { 'impersonate-user': 'system:node:n1', 'impersonate-group': 'g' });
    },
    'permits impersonation with the permission for the user': async (api) => {
      const token = await tokenOf(api, 'default');
      const me = `system:serviceaccount:${api.namespace}:default`;
      const alice = api.name('alice');
      await clusterRoleFor(api, {
        rules: [{ apiGroups: [''], resources: ['users'], verbs: ['impersonate'], resourceNames: [alice] }],
        subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: api.namespace }],
      });
      await decided(api, { user: me, verb: 'impersonate', resource: 'users', name: alice });
      await api.post(selfReviews, {}, { as: token, headers: { 'impersonate-user': alice } });
      await api.get(configMaps(api), { as: token, headers: { 'impersonate-user': alice } });
      await api.get('/api', { as: token, headers: { 'impersonate-user': 'bob' } });
      await api.get('/api', { as: token, headers: { 'impersonate-user': alice, 'impersonate-group': 'painters' } });
      await api.get('/api', { as: token, headers: { 'impersonate-user': alice, 'impersonate-uid': '1' } });
      await api.get('/api', { as: token, headers: { 'impersonate-user': alice, 'impersonate-extra-scopes': 'view' } });
    },
    'permits impersonation only for the verbs that impersonate-on permissions allow': async (api) => {
      const token = await tokenOf(api, 'default');
      const me = `system:serviceaccount:${api.namespace}:default`;
      const alice = api.name('alice');
      await clusterRoleFor(api, {
        rules: [
          {
            apiGroups: ['authentication.k8s.io'],
            resources: ['users', 'groups'],
            verbs: ['impersonate:user-info'],
            resourceNames: [alice, 'painters', 'system:masters'],
          },
          { apiGroups: [''], resources: ['configmaps'], verbs: ['impersonate-on:user-info:list'] },
        ],
        subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: api.namespace }],
      });
      await decided(api, { user: me, verb: 'impersonate-on:user-info:list', resource: 'configmaps' });
      await decided(api, {
        user: me,
        verb: 'impersonate:user-info',
        group: 'authentication.k8s.io',
        resource: 'users',
        name: alice,
      });
      await api.get(configMaps(api), { as: token, headers: { 'impersonate-user': alice } });
      await api.get(`${configMaps(api)}/a`, { as: token, headers: { 'impersonate-user': alice } });
      await api.get(configMaps(api), { as: token, headers: { 'impersonate-user': 'bob' } });
      await api.get(configMaps(api), {
        as: token,
        headers: { 'impersonate-user': alice, 'impersonate-group': 'painters' },
      });
      await api.get(configMaps(api), {
        as: token,
        headers: { 'impersonate-user': alice, 'impersonate-group': 'system:masters' },
      });
    },
    'authorizes a request with the permissions of the impersonated user': async (api) => {
      await api.get(configMaps(api), as('alice'));
      await api.get(rbac(api, 'roles'), as('alice', { group: 'system:masters', only: ['kind'] }));
    },
    'serves the OpenID configuration to service accounts': async (api) => {
      const token = await tokenOf(api, 'default');
      await api.get('/.well-known/openid-configuration', { as: token, only: ['issuer', 'subject_types_supported'] });
      await api.get('/openid/v1/jwks', { as: token });
      await api.get('/openid/v1/jwks', { as: token, only: ['keys.*.use'], headers: { accept: '*/*' } });
      await api.get('/.well-known/openid-configuration', { as: token, headers: { accept: 'text/plain' } });
      await api.get('/openid/v1/jwks', asNobody());
      await api.get('/.well-known/openid-configuration', as('alice'));
    },
  },
);
