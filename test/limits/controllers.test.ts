import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { arrival } from './arrival.js';
import { assertCost, isWithin } from './assert-cost.js';
import { configMap, configMaps, json, keys, list } from './case-bodies.js';
import { defineRuleds } from './cel-cases.js';
import type { LimitRequest } from './limit-case.js';
import { MeasuredServer } from './measured-server.js';

const mostMs = 100;
/** The number of measurements after which a case fails. Other work on the machine can only make a measurement longer. */
const measurements = 3;
const ruleds = '/apis/limits.example.com/v1/namespaces/default/ruleds';
const namespaced = '/api/v1/namespaces/default';
const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';

/** A write after which a controller of the server writes a large object. */
interface ControllerCase {
  readonly name: string;
  /** The requests that prepare the write. The uid is that of the ConfigMap `owner`. */
  readonly before: (uid: string) => readonly LimitRequest[];
  readonly request: LimitRequest;
  /** The collection of the large object `large`, and the text of the event that shows the write of the controller. */
  readonly path: string;
  readonly written: string;
}

const post = (path: string, body: object): LimitRequest => ({
  method: 'POST',
  path,
  type: json,
  body: JSON.stringify(body),
});
const remove = (path: string): LimitRequest => ({ method: 'DELETE', path });
const labeled = { name: 'large', labels: keys(30_000) };
const ruled = (metadata: object): LimitRequest =>
  post(ruleds, {
    apiVersion: 'limits.example.com/v1',
    kind: 'Ruled',
    metadata: { name: 'large', ...metadata },
    spec: { each: list(30_000, (at) => at) },
  });
const gone = '"type":"DELETED"';

const cases: readonly ControllerCase[] = [
  {
    name: 'the release of an orphan with 30,000 values and rules',
    before: (uid) => [ruled({ ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }] })],
    request: remove(`${configMaps}/owner?propagationPolicy=Orphan`),
    path: ruleds,
    written: '"type":"MODIFIED"',
  },
  {
    name: 'a foreground deletion of an object with 30,000 values and rules',
    before: () => [ruled({})],
    request: remove(`${ruleds}/large?propagationPolicy=Foreground`),
    path: ruleds,
    written: gone,
  },
  {
    name: 'a deletion of a namespace with 30,000 labels',
    before: () => [post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: labeled })],
    request: remove('/api/v1/namespaces/large'),
    path: '/api/v1/namespaces',
    written: gone,
  },
  {
    name: 'a token for a Secret with 30,000 keys',
    before: () => [],
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
    before: () => [],
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
    written: gone,
  },
  {
    name: 'the status of a disruption budget with 30,000 labels',
    before: () => [],
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
  let server: MeasuredServer;
  before(async () => {
    server = await MeasuredServer.start();
    await succeed(defineRuleds);
  });
  after(() => server[Symbol.asyncDispose]());

  const succeed = async (request: LimitRequest): Promise<string> => {
    const { status, text } = await server.send(request);
    assert.ok(status < 300, `${request.method} ${request.path}: ${status} ${text.slice(0, 300)}`);
    return text;
  };

  const prepare = async (controllerCase: ControllerCase): Promise<void> => {
    for (const name of ['large', 'rules']) await server.send(remove(`${controllerCase.path}/${name}`));
    await server.send(remove(`${configMaps}/owner`));
    const text = await succeed(post(configMaps, configMap({}, { name: 'owner' })));
    const { metadata } = JSON.parse(text) as { readonly metadata: { readonly uid: string } };
    for (const request of controllerCase.before(metadata.uid)) await succeed(request);
  };

  const measure = async (controllerCase: ControllerCase) => {
    const session = await server.connect();
    const selector = 'fieldSelector=metadata.name%3Dlarge';
    const watched = await server.open(session, `${controllerCase.path}?watch=1&resourceVersion=0&${selector}`);
    const { cost } = await server.costOf(async () => {
      const written = arrival(watched, controllerCase.written);
      await succeed(controllerCase.request);
      await written;
    });
    session.destroy();
    return cost;
  };

  for (const controllerCase of cases) {
    test(`${controllerCase.name}: at most ${mostMs} ms`, async (t) => {
      for (let left = measurements; ; left -= 1) {
        await prepare(controllerCase);
        const cost = await measure(controllerCase);
        if (left === 1 || isWithin(cost, mostMs)) return assertCost(t, cost, mostMs);
      }
    });
  }
});
