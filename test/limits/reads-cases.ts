import { configMap, configMaps, filled, json, keys, list } from './case-bodies.js';
import type { LimitCase, LimitRequest } from './limit-case.js';

const pods = '/api/v1/namespaces/default/pods';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const authorization = '/apis/authorization.k8s.io/v1';
const authentication = '/apis/authentication.k8s.io/v1';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const other = '/api/v1/namespaces/other/configmaps';
/** Number of large objects. A server that encodes them in one turn needs about 20 ms for each. */
const largeObjects = 8;
/** Number of small objects. Matching 700 requirements against all small objects takes about 130 ms. */
const smallObjects = 5000;
const tableForm = 'application/json;as=Table;v=v1;g=meta.k8s.io';

const post = (path: string, body: object): LimitRequest => ({
  method: 'POST',
  path,
  type: json,
  body: JSON.stringify(body),
});
const get = (path: string, form: Pick<LimitRequest, 'accept' | 'encoding'> = {}): LimitRequest => ({
  method: 'GET',
  path,
  ...form,
});
const large = configMap(keys(30_000));
const podSpec = { containers: [{ name: 'a', image: 'a', env: list(6000, (at) => ({ name: `E${at}`, value: 'v' })) }] };
const values = list(300, (at) => `g${at}`);
const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'stars' };
const review = (spec: object): LimitRequest =>
  post(`${authorization}/subjectaccessreviews`, {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user: 'a', ...spec },
  });
const selected = (selector: object): LimitRequest =>
  review({ resourceAttributes: { verb: 'get', resource: 'pods', ...selector } });

const granted = (rules: readonly object[]): LimitRequest => ({
  ...post(`${rbac}/clusterroles`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'granted' },
    rules,
  }),
  user: 'a',
});

/** A write that changes the object `text`, whose JSON encoding is fast. */
export const change: LimitRequest = {
  method: 'PATCH',
  path: `${configMaps}/text`,
  type: 'application/merge-patch+json',
  body: JSON.stringify({ data: { changed: 'yes' } }),
};

/** Requests that prepare a server for the cases, in any order. */
export const seeds: readonly LimitRequest[] = [
  ...list(largeObjects, (at) => post(configMaps, { ...large, metadata: { name: `large${at}` } })),
  post(configMaps, configMap({ text: 'a'.repeat(1_000_000) }, { name: 'text' })),
  ...list(smallObjects, (at) => post(other, configMap({ a: 'b' }, { name: `small${at}` }))),
  post(pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: podSpec }),
  post(deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: podSpec } },
  }),
  post(`${rbac}/clusterroles`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'stars' },
    rules: [
      { verbs: ['get'], nonResourceURLs: [`/${'*'.repeat(100_000)}b*`] },
      { verbs: ['create'], apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'] },
      { verbs: ['get'], apiGroups: values, resources: ['*'] },
    ],
  }),
  post(`${rbac}/clusterrolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'stars' },
    roleRef: role,
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'a' }],
  }),
];

/** A request that creates the namespace of the small objects. Must be sent before the other seeds. */
export const otherNamespace = post('/api/v1/namespaces', {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'other' },
});

const requirements = encodeURIComponent(list(700, (at) => `k${at}!=v`).join());

/** Requests that read many or large objects, and requests to endpoints that do not store their input. */
export const readCases: readonly LimitCase[] = [
  { name: 'a list of large objects', request: get(configMaps), status: 200 },
  { name: 'a list of large objects with gzip', request: get(configMaps, { encoding: 'gzip' }), status: 200 },
  {
    name: 'a table of large objects',
    request: get(`${configMaps}?includeObject=Object`, { accept: tableForm }),
    status: 200,
  },
  {
    name: 'a list with a selector of 700 requirements',
    request: get(`${other}?labelSelector=${requirements}`),
    status: 200,
  },
  {
    name: 'a field manager of 5,000 control characters',
    request: post(`${configMaps}?fieldManager=${'%01'.repeat(5000)}`, configMap({})),
    status: 422,
  },
  {
    name: 'a raw label selector of 3 MiB',
    request: selected({ labelSelector: { rawSelector: filled('a,').slice(0, -1000) } }),
    status: 201,
  },
  {
    name: 'a raw field selector of 3 MiB',
    request: selected({ fieldSelector: { rawSelector: filled(',').slice(0, -1000) } }),
    status: 201,
  },
  {
    name: 'a review of a path that a rule with 100,000 stars does not match',
    request: review({ nonResourceAttributes: { verb: 'get', path: '/a' } }),
    status: 201,
  },
  {
    name: 'a role with 300 values in each field, by a user without these permissions',
    request: granted([{ verbs: values, apiGroups: values, resources: values, resourceNames: values }]),
    status: 403,
  },
  {
    name: 'a role with 9,000 rules whose permissions the user has',
    request: granted(list(9000, (at) => ({ verbs: ['get'], apiGroups: [`g${at % 300}`], resources: ['a'] }))),
    status: 201,
  },
  {
    name: 'a token of 3 MiB of dots',
    request: post(`${authentication}/tokenreviews`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token: filled('.').slice(0, -1000) },
    }),
    status: 201,
  },
  {
    name: 'a Scale with 40,000 unknown fields',
    request: {
      ...post(`${deployments}/a/scale`, {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'a', namespace: 'default' },
        spec: { replicas: 3 },
        ...keys(40_000),
      }),
      method: 'PUT',
    },
    status: 200,
  },
  {
    name: 'an eviction of a Pod with 6,000 environment variables',
    request: post(`${pods}/a/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } }),
    status: 201,
  },
];

/** A request that deletes all large objects. */
export const deletion: LimitCase = {
  name: 'a deletion of all large objects',
  request: { method: 'DELETE', path: configMaps },
  status: 200,
};

/** A request that deletes the namespace with the small objects. */
export const namespaceDeletion: LimitRequest = { method: 'DELETE', path: '/api/v1/namespaces/other' };
