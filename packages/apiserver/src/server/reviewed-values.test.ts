import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { JsonObject } from '../registry/objects/api-object.js';
import { objectAt, stringAt } from '../registry/objects/json-object.js';
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

/** Calls a webhook for all writes of a resource. A mutating webhook applies the operations. */
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
