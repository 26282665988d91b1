import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { JsonObject } from '../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt, valueAt } from '../registry/objects/json-object.js';
import { ApiServer } from './api-server.js';
import { RawClient } from './raw-client.test.support.js';
import { patch, webhookServer, type WebhookServer } from './webhook-server.test.support.js';

const widgets = '/apis/example.com/v1/namespaces/default/widgets';

async function send(client: RawClient, [method, path]: readonly [string, string], body: object): Promise<JsonObject> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const answer = await client.send(method, path, { body: JSON.stringify(body), headers: { 'content-type': type } });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}

/** Installs a webhook for all requests on a resource: a mutating webhook that applies `operations`, or a validating webhook by default. */
async function install(
  t: TestContext,
  client: RawClient,
  { resource, operations }: { readonly resource: string; readonly operations?: readonly JsonObject[] },
): Promise<WebhookServer> {
  const hook = await webhookServer(t, () => (operations === undefined ? {} : patch(operations)));
  const kind = operations === undefined ? 'validating' : 'mutating';
  await send(client, ['POST', `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`], {
    metadata: { name: 'hooks' },
    webhooks: [
      {
        name: 'hook.example.com',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        clientConfig: hook.clientConfig,
        rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: [resource], operations: ['*'] }],
      },
    ],
  });
  return hook;
}

async function serveWidgets(client: RawClient): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await send(client, ['POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'], {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  });
}

test('validating webhooks receive metadata of a wrong type, which is not stored', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  await serveWidgets(client);
  const operations = [
    { op: 'add', path: '/metadata/labels', value: 'text' },
    { op: 'add', path: '/metadata/creationTimestamp', value: 7 },
  ];
  await install(t, client, { resource: 'widgets', operations });
  const { requests } = await install(t, client, { resource: 'widgets' });
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
  const created = await send(client, ['POST', widgets], widget);
  const updated = await send(client, ['PATCH', `${widgets}/w`], { spec: { size: 1 } });
  for (const object of [created, updated]) assert.equal(objectAt(object, 'metadata')['labels'], undefined);
  for (const request of requests) {
    assert.equal(stringAt(request, 'object', 'metadata', 'labels'), 'text');
    assert.equal(
      stringAt(request, 'object', 'metadata', 'creationTimestamp'),
      stringAt(created, 'metadata', 'creationTimestamp'),
    );
  }
  assert.equal(requests.length, 2);
});

test('metadata of a wrong type is not part of an update of the status', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  await serveWidgets(client);
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', labels: { a: 'b' } } };
  await send(client, ['POST', widgets], widget);
  const operations = [{ op: 'replace', path: '/metadata/labels', value: 'text' }];
  await install(t, client, { resource: 'widgets/status', operations });
  const { requests } = await install(t, client, { resource: 'widgets/status' });
  await send(client, ['PATCH', `${widgets}/w/status`], { status: { size: 1 } });
  assert.deepEqual(objectAt(requests[0], 'object', 'metadata')['labels'], { a: 'b' });
});

/** A built-in object with an empty list, and the path of the list. */
interface EmptyList {
  readonly path: string;
  readonly object: JsonObject;
  readonly list: readonly string[];
}

const labels = { a: 'b' };
const podSpec = {
  containers: [{ name: 'c', image: 'i' }],
  volumes: [{ name: 'v', projected: { sources: [] } }],
};
const inPodSpec = ['volumes', '0', 'projected', 'sources'];

const emptyLists: readonly EmptyList[] = [
  {
    path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    object: { metadata: { name: 'a' }, addressType: 'IPv4', endpoints: [] },
    list: ['endpoints'],
  },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    object: { metadata: { name: 'a' }, rules: [] },
    list: ['rules'],
  },
  {
    path: '/apis/storage.k8s.io/v1/csinodes',
    object: { metadata: { name: 'a' }, spec: { drivers: [] } },
    list: ['spec', 'drivers'],
  },
  {
    path: '/api/v1/namespaces/default/limitranges',
    object: { metadata: { name: 'a' }, spec: { limits: [] } },
    list: ['spec', 'limits'],
  },
  ...['deployments', 'daemonsets'].map((plural) => ({
    path: `/apis/apps/v1/namespaces/default/${plural}`,
    object: {
      metadata: { name: 'a' },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
    },
    list: ['spec', 'template', 'spec', ...inPodSpec],
  })),
  {
    path: '/api/v1/namespaces/default/pods',
    object: { metadata: { name: 'a' }, spec: podSpec },
    list: ['spec', ...inPodSpec],
  },
];

/** Returns the value at a path of fields and positions in lists. */
function valueIn(object: unknown, path: readonly string[]): unknown {
  return path.reduce((value, step) => (value as Readonly<Record<string, unknown>>)[step], object);
}

test('webhooks receive empty lists of built-in objects, and the server returns null instead of them after the write', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  const { requests } = await install(t, client, { resource: '*' });
  for (const { path, object, list } of emptyLists) {
    const created = await send(client, ['POST', path], object);
    assert.deepEqual(valueIn(requests.at(-1), ['object', ...list]), [], path);
    assert.equal(valueIn(created, list), null, path);
    const read = await client.get(`${path}/a`);
    assert.equal(valueIn(read.body, list), null, path);
  }
});

test('an update with an empty list does not change an object whose list is unset', async () => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  for (const { path, object, list } of emptyLists) {
    const created = await send(client, ['POST', path], object);
    const [field = ''] = list.slice(-1);
    const update = structuredClone(created);
    (valueIn(update, list.slice(0, -1)) as Record<string, unknown>)[field] = [];
    const updated = await send(client, ['PUT', `${path}/a`], update);
    assert.deepEqual(updated, created, path);
  }
});

test('the managed fields of a new object contain its empty list', async () => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  for (const { path, object, list } of emptyLists.slice(0, 4)) {
    const created = await send(client, ['POST', path], object);
    const [entry] = objectsAt(created, 'metadata', 'managedFields');
    assert.deepEqual(valueAt(entry, 'fieldsV1', ...list.map((field) => `f:${field}`)), {}, path);
  }
});

test('the server returns an empty list of a CustomResourceDefinition as an empty list, not as null', async () => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  await serveWidgets(client);
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com';
  const { body } = await client.get(path);
  const updated = await send(client, ['PUT', `${path}/status`], {
    ...body,
    status: { ...objectAt(body, 'status'), conditions: [] },
  });
  assert.deepEqual(valueAt(updated, 'status', 'conditions'), []);
});

test('validating webhooks receive a new PersistentVolumeClaim without the default phase', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  const { requests } = await install(t, client, { resource: 'persistentvolumeclaims' });
  const path = '/api/v1/namespaces/default/persistentvolumeclaims';
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const claim = { metadata: { name: 'a' }, spec };
  const planned = await send(client, ['POST', `${path}?dryRun=All`], claim);
  const created = await send(client, ['POST', path], claim);
  await send(client, ['PATCH', `${path}/a`], { metadata: { labels: { a: 'b' } } });
  assert.deepEqual(
    requests.map((request) => valueAt(request, 'object', 'status')),
    [{}, {}, { phase: 'Pending' }],
  );
  for (const { status } of [planned, created]) assert.deepEqual(status, { phase: 'Pending' });
});
