import { as, asNobody, clusterRoleFor, decided, tokenOf, userWith } from './acting.js';
import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';

const authn = '/apis/authentication.k8s.io/v1';
const authz = '/apis/authorization.k8s.io/v1';
const tokenReviews = `${authn}/tokenreviews`;
const subjectReviews = `${authz}/subjectaccessreviews`;
const selfReviews = `${authz}/selfsubjectaccessreviews`;
const rulesReviews = `${authz}/selfsubjectrulesreviews`;
const local = (api: ContractApi): string => `${authz}/namespaces/${api.namespace}/localsubjectaccessreviews`;
const pods = { verb: 'get', resource: 'pods' };

contract(
  'reviews',
  {},
  {
    'does not authenticate an unknown token': async (api) => {
      await api.post(tokenReviews, { spec: { token: 'unknown' } });
      await api.post(tokenReviews, { spec: { token: 'a.b.c' } });
      await api.post(tokenReviews, { spec: { token: `${'x'.repeat(10)}.e30.x` } });
    },
    'rejects a TokenReview without a token': async (api) => {
      await api.post(tokenReviews, { spec: {} });
      await api.post(tokenReviews, {});
      await api.post(tokenReviews, { spec: { token: '' } });
    },
    'returns the user of a token': async (api) => {
      const token = await tokenOf(api, 'default');
      await api.post(tokenReviews, { spec: { token } });
      await api.post(`${tokenReviews}?dryRun=All`, { spec: { token } }, { only: ['status.authenticated'] });
    },
    'checks the audiences of a token': async (api) => {
      const token = await tokenOf(api, 'default', { audiences: ['vault', 'bank'] });
      await api.post(tokenReviews, { spec: { token } });
      await api.post(tokenReviews, { spec: { token, audiences: ['other', 'bank'] } });
      await api.post(tokenReviews, { spec: { token, audiences: ['other'] } });
      await api.post(tokenReviews, { spec: { token: await tokenOf(api, 'default'), audiences: ['vault'] } });
    },
    'does not authenticate a modified token': async (api) => {
      const [head = '', claims = '', signature = ''] = (await tokenOf(api, 'default')).split('.');
      await api.post(tokenReviews, { spec: { token: `${head}.${claims}.${signature.toLowerCase()}` } });
      const other = Buffer.from(
        Buffer.from(claims, 'base64url').toString().replaceAll(api.namespace, 'kube-system'),
      ).toString('base64url');
      await api.post(tokenReviews, { spec: { token: `${head}.${other}.${signature}` } });
    },
    'does not authenticate a token with another signature key': async (api) => {
      const [, claims = '', signature = ''] = (await tokenOf(api, 'default')).split('.');
      const head = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'other' })).toString('base64url');
      await api.post(tokenReviews, { spec: { token: `${head}.${claims}.${signature}` } });
    },
    'supports only the create verb for reviews': async (api) => {
      for (const path of [tokenReviews, subjectReviews, rulesReviews, `${authn}/selfsubjectreviews`]) {
        await api.get(path);
        await api.get(`${path}/a`);
        await api.delete(`${path}/a`);
        await api.put(`${path}/a`, {});
        await api.patch(`${path}/a`, {});
        await api.delete(path);
      }
    },
    'rejects a review of another kind': async (api) => {
      await api.post(tokenReviews, { apiVersion: 'v1', kind: 'ConfigMap' });
      await api.post(subjectReviews, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' });
    },
    'reports unknown fields of a review': async (api) => {
      await api.post(subjectReviews, { spec: { user: 'a', resourceAttributes: pods, more: 1 } }, { only: ['status'] });
      await api.post(`${subjectReviews}?fieldValidation=Strict`, {
        spec: { user: 'a', resourceAttributes: pods, more: 1 },
      });
    },
    'reviews the permissions of a user': async (api) => {
      await api.post(subjectReviews, { spec: { user: 'a', resourceAttributes: pods } });
      await api.post(subjectReviews, { spec: { user: 'a', groups: ['system:masters'], resourceAttributes: pods } });
      await api.post(subjectReviews, { spec: { groups: ['system:masters'], resourceAttributes: pods } });
      await api.post(subjectReviews, { spec: { user: 'a', uid: '1', extra: { k: ['v'] }, resourceAttributes: {} } });
    },
    'rejects invalid review attributes': async (api) => {
      await api.post(subjectReviews, {});
      await api.post(subjectReviews, { spec: { user: 'a' } });
      await api.post(subjectReviews, { spec: { resourceAttributes: pods } });
      const both = { resourceAttributes: pods, nonResourceAttributes: { verb: 'get', path: '/' } };
      await api.post(subjectReviews, { spec: { user: 'a', ...both } });
      await api.post(selfReviews, { spec: {} });
      await api.post(selfReviews, { spec: both });
    },
    'rejects metadata of a review': async (api) => {
      const only = { only: ['code', 'reason', 'details.group', 'details.causes.*.field'] };
      await api.post(subjectReviews, { metadata: { name: 'a' }, spec: { user: 'a', resourceAttributes: pods } }, only);
      await api.post(selfReviews, { metadata: { labels: { a: 'b' } }, spec: { resourceAttributes: pods } }, only);
    },
    'reviews the permission for a non-resource URL': async (api) => {
      const ask = (groups: readonly string[], path: string, verb = 'get'): Promise<unknown> =>
        api.post(subjectReviews, { spec: { user: 'a', groups, nonResourceAttributes: { path, verb } } });
      await ask(['system:authenticated'], '/api');
      await ask(['system:authenticated'], '/metrics');
      await ask(['system:unauthenticated'], '/healthz');
      await ask([], '/healthz');
      await ask(['system:authenticated'], '/api', 'post');
    },
    'names the binding that permits a request': async (api) => {
      const user = await userWith(api, { apiGroups: [''], resources: ['pods'], verbs: ['get'] });
      await api.post(subjectReviews, {
        spec: { user, resourceAttributes: { ...pods, namespace: api.namespace } },
      });
      await api.post(subjectReviews, { spec: { user, resourceAttributes: pods } });
      const everywhere = api.name('everywhere');
      await clusterRoleFor(api, {
        rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['list'] }],
        subjects: [
          { kind: 'User', name: 'other' },
          { kind: 'User', name: everywhere },
        ],
      });
      await decided(api, { user: everywhere, verb: 'list', resource: 'pods' });
      await api.post(subjectReviews, {
        spec: { user: everywhere, resourceAttributes: { verb: 'list', resource: 'a' } },
      });
    },
    'names the permitted service account': async (api) => {
      await clusterRoleFor(api, {
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
        subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: api.namespace }],
      });
      const user = `system:serviceaccount:${api.namespace}:default`;
      await decided(api, { user, ...pods });
      await api.post(subjectReviews, { spec: { user, resourceAttributes: pods } });
    },
    'evaluates names, subresources, and groups': async (api) => {
      const rule = { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['get'], resourceNames: ['web'] };
      const user = await userWith(api, rule);
      const ask = (more: object): Promise<unknown> =>
        api.post(
          subjectReviews,
          { spec: { user, resourceAttributes: { namespace: api.namespace, verb: 'get', ...more } } },
          { only: ['status.allowed'] },
        );
      await ask({ group: 'apps', resource: 'deployments', subresource: 'scale', name: 'web' });
      await ask({ group: 'apps', resource: 'deployments', subresource: 'scale', name: 'db' });
      await ask({ group: 'apps', resource: 'deployments', subresource: 'scale' });
      await ask({ group: 'apps', resource: 'deployments', name: 'web' });
      await ask({ group: '', resource: 'deployments', subresource: 'scale', name: 'web' });
      await ask({ group: 'apps', version: 'v9', resource: 'deployments', subresource: 'scale', name: 'web' });
      await ask({ group: '*', resource: '*', name: 'web' });
    },
    'restricts a LocalSubjectAccessReview to its namespace': async (api) => {
      const spec = { user: 'a', resourceAttributes: { ...pods, namespace: api.namespace } };
      await api.post(local(api), { spec });
      await api.post(local(api), { metadata: { namespace: api.namespace }, spec });
      await api.post(local(api), { spec: { user: 'a', resourceAttributes: { ...pods, namespace: 'other' } } });
      await api.post(local(api), { spec: { user: 'a', resourceAttributes: pods } });
      await api.post(local(api), { spec: { user: 'a', nonResourceAttributes: { path: '/', verb: 'get' } } });
      await api.post(local(api), { metadata: { namespace: 'other' }, spec });
      await api.post(`${authz}/localsubjectaccessreviews`, { spec });
    },
    'validates the selectors of a review': async (api) => {
      const ask = (more: object): Promise<unknown> =>
        api.post(selfReviews, { spec: { resourceAttributes: { ...pods, ...more } } });
      await ask({ fieldSelector: { rawSelector: 'spec.nodeName=a' }, labelSelector: { rawSelector: 'a=b' } });
      await ask({ fieldSelector: {} });
      await ask({ labelSelector: {} });
      const requirements = [{ key: 'a', operator: 'In', values: ['x'] }];
      await ask({ labelSelector: { rawSelector: 'a=b', requirements } });
      await ask({ fieldSelector: { requirements: [{ key: 'a', operator: 'In' }] } });
      await ask({ fieldSelector: { requirements: [{ key: '', operator: 'Exists', values: ['x'] }] } });
      await ask({ labelSelector: { requirements: [{ key: 'a', operator: 'Newer' }] } });
      await ask({ labelSelector: { requirements: [{ key: '-', operator: 'DoesNotExist' }] } });
    },
    'permits self reviews for authenticated users': async (api) => {
      await api.post(selfReviews, { spec: { resourceAttributes: pods } }, as('alice'));
      await api.post(selfReviews, { spec: { nonResourceAttributes: { path: '/api', verb: 'get' } } }, as('alice'));
      await api.post(
        rulesReviews,
        { spec: { namespace: api.namespace } },
        as('alice', { only: ['kind', 'status.incomplete'] }),
      );
      await api.post(`${authn}/selfsubjectreviews`, {}, as('alice'));
      await api.post(selfReviews, { spec: { resourceAttributes: pods } }, asNobody());
      await api.post(rulesReviews, { spec: { namespace: api.namespace } }, asNobody());
    },
    'rejects reviews of other users without permission': async (api) => {
      await api.post(subjectReviews, { spec: { user: 'a', resourceAttributes: pods } }, as('alice'));
      await api.post(tokenReviews, { spec: { token: 'a' } }, as('alice'));
      await api.post(local(api), { spec: { user: 'a', resourceAttributes: pods } }, as('alice'));
    },
    'rejects a SelfSubjectRulesReview from a user without groups': async (api) => {
      const path = rulesReviews;
      await api.post(path, { spec: { namespace: api.namespace } }, as('alice', { group: 'system:unauthenticated' }));
    },
    'returns all rules of a user in a namespace': async (api) => {
      const rule = { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list'], resourceNames: ['web'] };
      const user = await userWith(api, rule);
      await api.post(
        rulesReviews,
        { spec: { namespace: api.namespace } },
        as(user, { group: 'system:unauthenticated' }),
      );
      await api.post(rulesReviews, { spec: { namespace: 'default' } }, as(user, { group: 'system:unauthenticated' }));
    },
    'rejects a SelfSubjectRulesReview without a namespace': async (api) => {
      await api.post(rulesReviews, {});
      await api.post(rulesReviews, { spec: { namespace: '' } });
    },
    'accepts a review without a namespace only at the cluster scope': async (api) => {
      const namespaced = { metadata: { namespace: 'a' } };
      await api.post(subjectReviews, { ...namespaced, spec: { user: 'a', resourceAttributes: pods } });
      await api.post(tokenReviews, { ...namespaced, spec: { token: 'a' } });
    },
    'ignores the status of a submitted review': async (api) => {
      await api.post(subjectReviews, { spec: { user: 'a', resourceAttributes: pods }, status: { allowed: true } });
    },
  },
);
