import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../registry/objects/api-object.js';
import { objectAt, stringAt } from '../registry/objects/json-object.js';
import { ApiServer } from './api-server.js';
import { RawClient } from './raw-client.test.support.js';
import { patch, webhookServer } from './webhook-server.test.support.js';

const racks = '/apis/example.com/v2/namespaces/default/racks';

/** Converts a Rack: v1 has the size in `spec.text`, and v2 in `spec.size`. */
function converted(rack: JsonObject, apiVersion: string): JsonObject {
  const { text, size } = objectAt(rack, 'spec');
  return {
    ...rack,
    apiVersion,
    spec: apiVersion === 'example.com/v1' ? { text: `size ${size}` } : { size: String(text).slice(5) },
  };
}

async function createDefinition(client: RawClient, clientConfig: JsonObject): Promise<void> {
  const version = (name: string, field: string): JsonObject => {
    const spec = { type: 'object', properties: { [field]: { type: 'string' } } };
    return {
      name,
      served: true,
      storage: name === 'v1',
      schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
    };
  };
  const definition = {
    metadata: { name: 'racks.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'racks', kind: 'Rack' },
      versions: [version('v1', 'text'), version('v2', 'size')],
      conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
    },
  };
  const body = JSON.stringify(definition);
  const made = await client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body });
  assert.equal(made.status, 201, made.text);
}

/** Creates the definition, and webhooks for v1. */
async function createWebhooks(client: RawClient, clientConfig: JsonObject): Promise<void> {
  await createDefinition(client, clientConfig);
  for (const kind of ['Mutating', 'Validating']) {
    const rules = [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['*'], resources: ['racks'] }];
    const webhook = {
      name: 'hook.example.com',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      clientConfig,
      rules,
    };
    const configuration = JSON.stringify({ metadata: { name: 'hooks' }, webhooks: [webhook] });
    const path = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`;
    const { status, text } = await client.send('POST', path, { body: configuration });
    assert.equal(status, 201, text);
  }
}

test('webhooks review a custom resource that a conversion webhook converts to the version in their rules', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  const reviews: JsonObject[] = [];
  const hook = await webhookServer(t, (request) => {
    if ('desiredAPIVersion' in request) {
      const convertedObjects = (request['objects'] as JsonObject[]).map((each) =>
        converted(each, stringAt(request, 'desiredAPIVersion')),
      );
      return { convertedObjects, result: { status: 'Success' } };
    }
    reviews.push(request);
    const isGrown = stringAt(request, 'object', 'spec', 'text') !== 'size 1';
    return isGrown ? {} : patch([{ op: 'replace', path: '/spec/text', value: 'size 2' }]);
  });
  await createWebhooks(client, hook.clientConfig);

  const body = JSON.stringify({
    apiVersion: 'example.com/v2',
    kind: 'Rack',
    metadata: { name: 'a' },
    spec: { size: '1' },
  });
  const made = await client.send('POST', racks, { body });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(made.body.spec, { size: '2' });
  const updated = await client.send('PUT', `${racks}/a`, {
    body: JSON.stringify({ ...made.body, spec: { size: '3' } }),
  });
  assert.equal(updated.status, 200, updated.text);
  assert.equal((await client.send('DELETE', `${racks}/a`)).status, 200);

  const seen = reviews.map((request) => {
    const [object, old] = ['object', 'oldObject'].map((field) =>
      request[field] === null ? null : objectAt(request, field),
    );
    assert.deepEqual([stringAt(request, 'kind', 'version'), stringAt(request, 'requestKind', 'version')], ['v1', 'v2']);
    return [request['operation'], object?.['spec'] ?? null, old?.['spec'] ?? null];
  });
  const text = (size: number): JsonObject => ({ text: `size ${size}` });
  assert.deepEqual(seen, [
    ['CREATE', text(1), null],
    ['CREATE', text(2), null],
    ['UPDATE', text(3), text(2)],
    ['UPDATE', text(3), text(2)],
    ['DELETE', null, text(3)],
    ['DELETE', null, text(3)],
  ]);
});

test('policies evaluate a custom resource that a conversion webhook converts to the version in their rules', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  let isBroken = false;
  const hook = await webhookServer(t, (request) => {
    if (isBroken) return { result: { status: 'Failure', message: 'no' } };
    const { objects, desiredAPIVersion } = request;
    const convertedObjects = (objects as JsonObject[]).map((each) => converted(each, String(desiredAPIVersion)));
    return { convertedObjects, result: { status: 'Success' } };
  });
  await createDefinition(client, hook.clientConfig);
  const rule = { apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['*'], resources: ['racks'] };
  const policy = {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: "object.spec.text != 'size 9'", message: 'too large' }],
  };
  const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  const body = JSON.stringify({ metadata: { name: 'sizes' }, spec: policy });
  assert.equal((await client.send('POST', policies, { body })).status, 201);
  const binding = JSON.stringify({
    metadata: { name: 'all' },
    spec: { policyName: 'sizes', validationActions: ['Deny'] },
  });
  assert.equal(
    (await client.send('POST', policies.replace('policies', 'policybindings'), { body: binding })).status,
    201,
  );

  const create = async (name: string, size: string): Promise<string> => {
    const rack = { apiVersion: 'example.com/v2', kind: 'Rack', metadata: { name }, spec: { size } };
    const { status, body: answer } = await client.send('POST', racks, { body: JSON.stringify(rack) });
    return status === 201 ? 'created' : String(answer.message);
  };
  assert.equal(await create('small', '1'), 'created');
  assert.match(await create('large', '9'), /denied request: too large$/);
  isBroken = true;
  const failed = 'conversion webhook for example.com/v2, Kind=Rack failed: no';
  assert.match(await create('any', '1'), new RegExp(`denied request: failed to configure policy: ${failed}$`));
});

test('returns an internal error if a custom resource cannot be converted to the version of a webhook', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  const hook = await webhookServer(t, () => ({ result: { status: 'Failure', message: 'no' } }));
  await createWebhooks(client, hook.clientConfig);
  const failed = 'Internal error occurred: conversion webhook for example.com/v2, Kind=Rack failed: no';
  const create = async (): Promise<readonly unknown[]> => {
    const body = JSON.stringify({ apiVersion: 'example.com/v2', kind: 'Rack', metadata: { name: 'a' }, spec: {} });
    const { status, body: answer } = await client.send('POST', racks, { body });
    return [status, answer.message];
  };
  assert.deepEqual(await create(), [500, `Internal error occurred: ${failed}`]);
  await client.send('DELETE', '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/hooks');
  assert.deepEqual(await create(), [500, failed]);
});
