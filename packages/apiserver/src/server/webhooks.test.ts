import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countValues } from '@kubewright/api/json';
import type { JsonObject } from '../registry/objects/api-object.js';
import { isObject, objectAt, objectsAt, stringAt } from '../registry/objects/json-object.js';
import { ApiServer } from './api-server.js';
import { type RawAnswer, RawClient } from './raw-client.test.support.js';
import { patch, webhookServer } from './webhook-server.test.support.js';

const configMaps = '/api/v1/namespaces/default/configmaps';
const group = '/apis/admissionregistration.k8s.io/v1';

async function install(client: RawClient, kind: 'mutating' | 'validating', webhook: JsonObject): Promise<void> {
  const { status, text } = await client.send('POST', `${group}/${kind}webhookconfigurations`, {
    body: JSON.stringify({
      metadata: { name: 'hooks' },
      webhooks: [{ name: 'hook.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'], ...webhook }],
    }),
  });
  assert.equal(status, 201, text);
}

const rule = (resources: readonly string[], operations: readonly string[] = ['*'], apiGroups = ['*']): JsonObject => ({
  apiGroups,
  apiVersions: ['*'],
  resources,
  operations,
});

test('a webhook can read and write objects of the server while the server waits for the webhook', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  const hook = await webhookServer(t, async ({ name }) => {
    const body = JSON.stringify({ metadata: { name: 'audit' }, data: { last: name } });
    const { status } = await client.send('POST', '/api/v1/namespaces/kube-public/configmaps', { body });
    return { warnings: [`the answer was ${status}`] };
  });
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'default' } };
  await install(client, 'validating', {
    clientConfig: hook.clientConfig,
    rules: [rule(['configmaps'])],
    namespaceSelector,
  });
  const created = await client.send('POST', configMaps, { body: '{"metadata":{"name":"a"}}' });
  assert.equal(created.status, 201);
  assert.equal(created.headers['warning'], '299 - "the answer was 201"');
  const audit = await client.send('GET', '/api/v1/namespaces/kube-public/configmaps/audit');
  assert.deepEqual(audit.body.data, { last: 'a' });
});

test('webhooks review the Pods that a controller creates', async (t) => {
  await using server = await ApiServer.start({ workloads: true });
  const client = new RawClient(server);
  const hook = await webhookServer(t, () =>
    patch([{ op: 'add', path: '/metadata/annotations', value: { injected: 'yes' } }]),
  );
  await install(client, 'mutating', { clientConfig: hook.clientConfig, rules: [rule(['pods'], ['CREATE'])] });
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
  const path = '/apis/apps/v1/namespaces/default/replicasets';
  const made = await client.send('POST', path, { body: JSON.stringify({ metadata: { name: 'r' }, spec }) });
  assert.equal(made.status, 201, made.text);
  const pods = async (): Promise<readonly JsonObject[]> =>
    (await client.send('GET', '/api/v1/namespaces/default/pods')).body.items;
  while ((await pods()).length === 0) await new Promise((resolve) => setImmediate(resolve));
  const [pod] = await pods();
  assert.deepEqual(objectAt(pod, 'metadata', 'annotations'), { injected: 'yes' });
  const [request] = hook.requests;
  assert.equal(stringAt(request, 'userInfo', 'username'), 'system:serviceaccount:kube-system:replicaset-controller');
});

test('a webhook reviews the status that the node writes to a Pod, and the deletion of the Pod by the node', async (t) => {
  await using server = await ApiServer.start({ workloads: true });
  const client = new RawClient(server);
  const hook = await webhookServer(t, () => ({}));
  const rules = [rule(['pods', 'pods/status'], ['UPDATE', 'DELETE'])];
  await install(client, 'validating', { clientConfig: hook.clientConfig, rules });
  const path = '/api/v1/namespaces/default/pods';
  const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  assert.equal((await client.post(path, pod)).status, 201);
  const phase = async (): Promise<unknown> => stringAt((await client.get(`${path}/p`)).body, 'status', 'phase');
  while ((await phase()) !== 'Running') await new Promise((resolve) => setImmediate(resolve));
  await client.send('DELETE', `${path}/p`);
  while ((await client.get(`${path}/p`)).status !== 404) await new Promise((resolve) => setImmediate(resolve));
  const ofNode = hook.requests.filter((request) =>
    stringAt(request, 'userInfo', 'username').startsWith('system:node:'),
  );
  const shown = ofNode.map((request) => [
    request['operation'],
    request['subResource'] ?? '',
    stringAt(request, 'object', 'status', 'phase'),
    stringAt(request, 'oldObject', 'status', 'phase'),
  ]);
  assert.deepEqual(shown[0], ['UPDATE', 'status', 'Running', 'Pending']);
  assert.equal(shown.at(-1)?.[0], 'DELETE');
});

test('a webhook reviews a connection to a Pod with the options of the connection', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  const hook = await webhookServer(t, () => ({ allowed: false, status: { message: 'no shells', code: 403 } }));
  const rules = [rule(['pods/exec', 'pods/portforward'], ['CONNECT'])];
  await install(client, 'validating', { clientConfig: hook.clientConfig, rules });
  const pod = '/api/v1/namespaces/default/pods/p';
  const exec = await client.send('POST', `${pod}/exec?command=sh&command=-c&container=c&tty=true`);
  assert.equal(exec.status, 403);
  assert.equal(exec.body['message'], 'admission webhook "hook.example.com" denied the request: no shells');
  const [request] = hook.requests;
  assert.deepEqual(request?.['object'], {
    kind: 'PodExecOptions',
    apiVersion: 'v1',
    tty: true,
    container: 'c',
    command: ['sh', '-c'],
  });
  assert.deepEqual(
    [request?.['operation'], request?.['subResource'], request?.['name'], request?.['options']],
    ['CONNECT', 'exec', 'p', null],
  );
  await client.send('POST', `${pod}/portforward?ports=80`);
  assert.deepEqual(objectAt(hook.requests[1], 'object')['ports'], [80]);
});

test('a webhook reviews the immediate deletion of a Pod twice, each time with the grace period 0', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  const hook = await webhookServer(t, () => ({}));
  await install(client, 'validating', { clientConfig: hook.clientConfig, rules: [rule(['pods'], ['DELETE'])] });
  const body = JSON.stringify({ metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  assert.equal((await client.send('POST', '/api/v1/namespaces/default/pods', { body })).status, 201);
  assert.equal((await client.send('DELETE', '/api/v1/namespaces/default/pods/p')).status, 200);
  const graces = hook.requests.map((request) => objectAt(request, 'options')['gracePeriodSeconds']);
  assert.deepEqual(graces, [0, 0]);
  const marked = hook.requests.map(
    ({ oldObject }) => objectAt(oldObject, 'metadata')['deletionTimestamp'] !== undefined,
  );
  assert.deepEqual(marked, [false, true]);
});

test('a request fails with 504 when its own timeout ends before the timeout of the webhook', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  const hook = await webhookServer(t, () => new Promise<never>(() => undefined));
  await install(client, 'mutating', {
    clientConfig: hook.clientConfig,
    rules: [rule(['configmaps'])],
    failurePolicy: 'Ignore',
  });
  const { status, body } = await client.send('POST', `${configMaps}?timeout=50ms`, {
    body: '{"metadata":{"name":"a"}}',
  });
  const why = 'request did not complete within requested timeout - context deadline exceeded';
  assert.deepEqual([status, body['reason'], body['message']], [504, 'Timeout', `Timeout: ${why}`]);
});

test('a server that stops cancels the calls of webhooks and closes their connections', async (t) => {
  const server = await ApiServer.start();
  const client = new RawClient(server);
  let arrived: () => void = () => undefined;
  const isCalled = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const hook = await webhookServer(t, () => {
    arrived();
    return new Promise<never>(() => undefined);
  });
  await install(client, 'validating', { clientConfig: hook.clientConfig, rules: [rule(['configmaps'])] });
  const request = client.send('POST', configMaps, { body: '{"metadata":{"name":"a"}}' }).catch(() => undefined);
  await isCalled;
  await server.stop();
  await request;
  const connections = (): Promise<number> =>
    new Promise((resolve, reject) =>
      hook.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  while ((await connections()) > 0) await new Promise((resolve) => setImmediate(resolve));
});

test('a webhook receives objects in the version of its rule, and its patch is converted back', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  const hook = await webhookServer(t, ({ object }) => {
    assert.ok(isObject(object));
    return objectsAt(object, 'spec', 'metrics').length === 1
      ? patch([{ op: 'replace', path: '/spec/metrics/0/resource/target/averageUtilization', value: 70 }])
      : {};
  });
  const rules = [{ ...rule(['horizontalpodautoscalers']), apiVersions: ['v2'] }];
  await install(client, 'mutating', { clientConfig: hook.clientConfig, rules });
  const path = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
  const spec = {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
    maxReplicas: 3,
    targetCPUUtilizationPercentage: 50,
  };
  const { status, body, text } = await client.send('POST', path, {
    body: JSON.stringify({ metadata: { name: 'h' }, spec }),
  });
  assert.equal(status, 201, text);
  assert.equal(objectAt(body, 'spec')['targetCPUUtilizationPercentage'], 70);
  const [request] = hook.requests;
  assert.equal(stringAt(request, 'object', 'apiVersion'), 'autoscaling/v2');
  assert.deepEqual([stringAt(request, 'kind', 'version'), stringAt(request, 'requestKind', 'version')], ['v2', 'v1']);
});

test('a webhook cannot use the values that the server reserves for the deletion of an object', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  let keys = 1;
  const hook = await webhookServer(t, () => {
    const data = Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, 'v']));
    return patch([{ op: 'add', path: '/data', value: data }]);
  });
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const spec = {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
  };
  const definition = JSON.stringify({ metadata: { name: 'widgets.example.com' }, spec });
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  assert.equal((await client.send('POST', crds, { body: definition })).status, 201);
  const rules = [rule(['configmaps', 'widgets'], ['CREATE'])];
  await install(client, 'mutating', { clientConfig: hook.clientConfig, rules });
  const widgets = '/apis/example.com/v1/namespaces/default/widgets';
  for (const [path, type] of [
    [configMaps, { apiVersion: 'v1', kind: 'ConfigMap' }],
    [widgets, { apiVersion: 'example.com/v1', kind: 'Widget' }],
  ] as const) {
    const create = (query = '') =>
      client.send('POST', `${path}${query}`, { body: JSON.stringify({ ...type, metadata: { name: 'a' } }) });
    keys = 1;
    const others = countValues((await create('?dryRun=All')).body) - 1;
    keys = 65_536 - others - 4;
    assert.equal((await create()).status, 413, path);
    keys = 65_536 - others - 20;
    assert.equal((await create()).status, 201, path);
  }
});

test('the limit of values counts the values that admission adds, in writes and dry runs, with and without webhooks', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  const path = '/api/v1/namespaces/default/pods';
  const create = async (count: number, query: string): Promise<RawAnswer> => {
    const containers = Array.from({ length: count }, (_, at) => ({ name: `c${at}`, image: 'i' }));
    return client.post(`${path}${query}`, { metadata: { name: 'a' }, spec: { containers } });
  };
  const values = async (count: number): Promise<number> => countValues((await create(count, '?dryRun=All')).body);
  const [one, two] = [await values(1), await values(2)];
  const most = 1 + Math.floor((65_536 - 17 - one) / (two - one));
  const check = async (): Promise<void> => {
    for (const query of ['?dryRun=All', '']) {
      assert.equal((await create(most + 1, query)).status, 413, query);
      assert.equal((await create(most, query)).status, 201, query);
    }
    // The garbage collector may delete the Pod before another request reads it.
    const marked = await client.send('DELETE', `${path}/a?propagationPolicy=Foreground&gracePeriodSeconds=5`);
    assert.equal(marked.status, 200);
    assert.notEqual(marked.body.metadata['deletionTimestamp'], undefined);
    await client.send('DELETE', `${path}/a?gracePeriodSeconds=0`);
    while ((await client.get(`${path}/a`)).status !== 404) await new Promise((resolve) => setImmediate(resolve));
  };
  await check();
  const hook = await webhookServer(t, () =>
    patch([{ op: 'replace', path: '/spec/terminationGracePeriodSeconds', value: 9 }]),
  );
  await install(client, 'mutating', { clientConfig: hook.clientConfig, rules: [rule(['pods'], ['CREATE'])] });
  await check();
  assert.ok(hook.requests.length >= 2);
});
