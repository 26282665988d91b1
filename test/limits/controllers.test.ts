import { describe } from 'node:test';
import { configMaps, keys, list } from './case-bodies.js';
import { defineRuleds } from './cel-cases.js';
import { type ControllerCase, post, remove, testControllerCase } from './controller-case.js';
import type { LimitRequest } from './limit-case.js';

const ruleds = '/apis/limits.example.com/v1/namespaces/default/ruleds';
const namespaced = '/api/v1/namespaces/default';
const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';

const labeled = { name: 'large', labels: keys(30_000) };
const ruled = (metadata: object): LimitRequest =>
  post(ruleds, {
    apiVersion: 'limits.example.com/v1',
    kind: 'Ruled',
    metadata: { name: 'large', ...metadata },
    spec: { each: list(30_000, (at) => at) },
  });
/** Returns requests that create a quota with a complete status, so that the quota controller does not need to count. */
const countedQuota = (name: string): readonly LimitRequest[] => {
  const names = ['pods', ...list(5000, (at) => `requests.example.com/r${at}`)];
  const hard = Object.fromEntries(names.map((each) => [each, '1000']));
  const used = Object.fromEntries(names.map((each) => [each, '0']));
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name }, spec: { hard } };
  const path = `${namespaced}/resourcequotas`;
  return [
    post(path, quota),
    { ...post(`${path}/${name}/status`, { ...quota, status: { hard, used } }), method: 'PUT' },
  ];
};
const deletedEvent = '"type":"DELETED"';

const cases: readonly ControllerCase[] = [
  {
    name: 'the release of an orphan with 30,000 values and rules',
    before: (uid) => [
      defineRuleds,
      ruled({ ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }] }),
    ],
    request: remove(`${configMaps}/owner?propagationPolicy=Orphan`),
    path: ruleds,
    written: '"type":"MODIFIED"',
  },
  {
    name: 'a foreground deletion of an object with 30,000 values and rules',
    before: () => [defineRuleds, ruled({})],
    request: remove(`${ruleds}/large?propagationPolicy=Foreground`),
    path: ruleds,
    written: deletedEvent,
  },
  {
    name: 'a deletion of a namespace with 30,000 labels',
    before: () => [post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: labeled })],
    request: remove('/api/v1/namespaces/large'),
    path: '/api/v1/namespaces',
    written: deletedEvent,
  },
  {
    name: 'a token for a Secret with 30,000 keys',
    request: post(`${namespaced}/secrets`, {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/service-account-token',
      metadata: { name: 'large', annotations: { 'kubernetes.io/service-account.name': 'default' } },
      data: keys(30_000, ''),
    }),
    path: `${namespaced}/secrets`,
    written: '"type":"MODIFIED"',
  },
  {
    name: 'the status of a quota with 10,000 resources',
    request: post(`${namespaced}/resourcequotas`, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'large' },
      spec: { hard: Object.fromEntries(list(10_000, (at) => [`count/k${at}.example.com`, '1'])) },
    }),
    path: `${namespaced}/resourcequotas`,
    written: '"type":"MODIFIED"',
  },
  {
    name: 'a Pod that four quotas with 5,000 resources count',
    before: () => ['large', 'b', 'c', 'd'].flatMap(countedQuota),
    request: post(`${namespaced}/pods`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'a', image: 'a' }] },
    }),
    path: `${namespaced}/resourcequotas`,
    written: '"pods":"1"',
  },
  {
    name: 'a deletion of a claim with 30,000 labels',
    before: () => [
      post(`${namespaced}/persistentvolumeclaims`, {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: labeled,
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      }),
    ],
    request: remove(`${namespaced}/persistentvolumeclaims/large`),
    path: `${namespaced}/persistentvolumeclaims`,
    written: deletedEvent,
  },
  {
    name: 'the status of a disruption budget with 30,000 labels',
    request: post('/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: labeled,
      spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
    }),
    path: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    written: '"type":"MODIFIED"',
  },
  {
    name: 'an aggregation of 8,000 rules',
    before: () => [
      post(roles, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'rules', labels: { a: 'b' } },
        rules: list(4000, (at) => ({ apiGroups: [`g${at}`], resources: ['a'], verbs: ['get'] })),
      }),
    ],
    request: post(roles, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'large' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
      rules: [],
    }),
    path: roles,
    written: '"type":"MODIFIED"',
  },
];

describe('the longest time for which the controllers of the server block other requests', () => {
  for (const controllerCase of cases) testControllerCase(controllerCase, { workloads: false });
});
