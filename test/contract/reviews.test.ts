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
    'a token that nobody knows is not authenticated': async (api) => {
      await api.post(tokenReviews, { spec: { token: 'unknown' } });
      await api.post(tokenReviews, { spec: { token: 'a.b.c' } });
      await api.post(tokenReviews, { spec: { token: `${'x'.repeat(10)}.e30.x` } });
    },
    'a review of a token needs a token': async (api) => {
      await api.post(tokenReviews, { spec: {} });
      await api.post(tokenReviews, {});
      await api.post(tokenReviews, { spec: { token: '' } });
    },
    'whose a token is': async (api) => {
      const token = await tokenOf(api, 'default');
      await api.post(tokenReviews, { spec: { token } });
      await api.post(`${tokenReviews}?dryRun=All`, { spec: { token } }, { only: ['status.authenticated'] });
    },
    'a token is for its audiences': async (api) => {
      const token = await tokenOf(api, 'default', { audiences: ['vault', 'bank'] });
      await api.post(tokenReviews, { spec: { token } });
      await api.post(tokenReviews, { spec: { token, audiences: ['other', 'bank'] } });
      await api.post(tokenReviews, { spec: { token, audiences: ['other'] } });
      await api.post(tokenReviews, { spec: { token: await tokenOf(api, 'default'), audiences: ['vault'] } });
    },
    'a token that was tampered with is not authenticated': async (api) => {
      const [head = '', claims = '', signature = ''] = (await tokenOf(api, 'default')).split('.');
      await api.post(tokenReviews, { spec: { token: `${head}.${claims}.${signature.toLowerCase()}` } });
      const other = Buffer.from(
        Buffer.from(claims, 'base64url').toString().replaceAll(api.namespace, 'kube-system'),
      ).toString('base64url');
      await api.post(tokenReviews, { spec: { token: `${head}.${other}.${signature}` } });
    },
    'a token of another key is not authenticated': async (api) => {
      const [, claims = '', signature = ''] = (await tokenOf(api, 'default')).split('.');
      const head = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'other' })).toString('base64url');
      await api.post(tokenReviews, { spec: { token: `${head}.${claims}.${signature}` } });
    },
    'reviews have no objects': async (api) => {
      for (const path of [tokenReviews, subjectReviews, rulesReviews, `${authn}/selfsubjectreviews`]) {
        await api.get(path);
        await api.get(`${path}/a`);
        await api.delete(`${path}/a`);
        await api.put(`${path}/a`, {});
        await api.patch(`${path}/a`, {});
        await api.delete(path);
      }
    },
    'reviews are not made of other kinds': async (api) => {
      await api.post(tokenReviews, { apiVersion: 'v1', kind: 'ConfigMap' });
      await api.post(subjectReviews, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' });
    },
    'fields that a review does not have are reported': async (api) => {
      await api.post(subjectReviews, { spec: { user: 'a', resourceAttributes: pods, more: 1 } }, { only: ['status'] });
      await api.post(`${subjectReviews}?fieldValidation=Strict`, {
        spec: { user: 'a', resourceAttributes: pods, more: 1 },
      });
    },
    'whether a user may do something': async (api) => {
      await api.post(subjectReviews, { spec: { user: 'a', resourceAttributes: pods } });
      await api.post(subjectReviews, { spec: { user: 'a', groups: ['system:masters'], resourceAttributes: pods } });
      await api.post(subjectReviews, { spec: { groups: ['system:masters'], resourceAttributes: pods } });
      await api.post(subjectReviews, { spec: { user: 'a', uid: '1', extra: { k: ['v'] }, resourceAttributes: {} } });
    },
    'what of a review is not its user or question is refused': async (api) => {
      await api.post(subjectReviews, {});
      await api.post(subjectReviews, { spec: { user: 'a' } });
      await api.post(subjectReviews, { spec: { resourceAttributes: pods } });
      const both = { resourceAttributes: pods, nonResourceAttributes: { verb: 'get', path: '/' } };
      await api.post(subjectReviews, { spec: { user: 'a', ...both } });
      await api.post(selfReviews, { spec: {} });
      await api.post(selfReviews, { spec: both });
    },
    'a review has no metadata': async (api) => {
      const only = { only: ['code', 'reason', 'details.group', 'details.causes.*.field'] };
      await api.post(subjectReviews, { metadata: { name: 'a' }, spec: { user: 'a', resourceAttributes: pods } }, only);
      await api.post(selfReviews, { metadata: { labels: { a: 'b' } }, spec: { resourceAttributes: pods } }, only);
    },
    'whether a path may be asked for': async (api) => {
      const ask = (groups: readonly string[], path: string, verb = 'get'): Promise<unknown> =>
        api.post(subjectReviews, { spec: { user: 'a', groups, nonResourceAttributes: { path, verb } } });
      await ask(['system:authenticated'], '/api');
      await ask(['system:authenticated'], '/metrics');
      await ask(['system:unauthenticated'], '/healthz');
      await ask([], '/healthz');
      await ask(['system:authenticated'], '/api', 'post');
    },
    'a review says which binding allows it': async (api) => {
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
    'a review says which service account is allowed': async (api) => {
      await clusterRoleFor(api, {
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
        subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: api.namespace }],
      });
      const user = `system:serviceaccount:${api.namespace}:default`;
      await decided(api, { user, ...pods });
      await api.post(subjectReviews, { spec: { user, resourceAttributes: pods } });
    },
    'names, subresources and groups count': async (api) => {
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
    'a local review is about its namespace': async (api) => {
      const spec = { user: 'a', resourceAttributes: { ...pods, namespace: api.namespace } };
      await api.post(local(api), { spec });
      await api.post(local(api), { metadata: { namespace: api.namespace }, spec });
      await api.post(local(api), { spec: { user: 'a', resourceAttributes: { ...pods, namespace: 'other' } } });
      await api.post(local(api), { spec: { user: 'a', resourceAttributes: pods } });
      await api.post(local(api), { spec: { user: 'a', nonResourceAttributes: { path: '/', verb: 'get' } } });
      await api.post(local(api), { metadata: { namespace: 'other' }, spec });
      await api.post(`${authz}/localsubjectaccessreviews`, { spec });
    },
    'selectors of a review go together or not': async (api) => {
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
    'everybody may ask what they may do': async (api) => {
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
    'not everybody may ask what others may do': async (api) => {
      await api.post(subjectReviews, { spec: { user: 'a', resourceAttributes: pods } }, as('alice'));
      await api.post(tokenReviews, { spec: { token: 'a' } }, as('alice'));
      await api.post(local(api), { spec: { user: 'a', resourceAttributes: pods } }, as('alice'));
    },
    'the rules of nobody in particular': async (api) => {
      const path = rulesReviews;
      await api.post(path, { spec: { namespace: api.namespace } }, as('alice', { group: 'system:unauthenticated' }));
    },
    'all rules that a user has in a namespace': async (api) => {
      const rule = { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list'], resourceNames: ['web'] };
      const user = await userWith(api, rule);
      await api.post(
        rulesReviews,
        { spec: { namespace: api.namespace } },
        as(user, { group: 'system:unauthenticated' }),
      );
      await api.post(rulesReviews, { spec: { namespace: 'default' } }, as(user, { group: 'system:unauthenticated' }));
    },
    'rules are asked for in a namespace': async (api) => {
      await api.post(rulesReviews, {});
      await api.post(rulesReviews, { spec: { namespace: '' } });
    },
    'a review lies in no namespace': async (api) => {
      const namespaced = { metadata: { namespace: 'a' } };
      await api.post(subjectReviews, { ...namespaced, spec: { user: 'a', resourceAttributes: pods } });
      await api.post(tokenReviews, { ...namespaced, spec: { token: 'a' } });
    },
    "what a review says of its answer is nobody's": async (api) => {
      await api.post(subjectReviews, { spec: { user: 'a', resourceAttributes: pods }, status: { allowed: true } });
    },
  },
);
