import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { ConversionWebhook } from '../handlers/conversion-webhook.test.support.js';
import type { JsonObject } from '../registry/objects/api-object.js';
import { ApiServer } from './api-server.js';
import { RawClient } from './raw-client.test.support.js';
import { type WebhookServer, webhookServer } from './webhook-server.test.support.js';

const configMaps = '/api/v1/namespaces/default/configmaps';
const never = (): Promise<never> => new Promise(() => undefined);

/** Starts a webhook that never answers, for all ConfigMaps. */
async function silentWebhook(
  t: TestContext,
  client: RawClient,
  { kind, ...fields }: JsonObject & { readonly kind: 'mutating' | 'validating' },
): Promise<WebhookServer> {
  const hook = await webhookServer(t, never);
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }];
  const webhook = { name: 'a.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'], rules, ...fields };
  const webhooks = [{ ...webhook, clientConfig: hook.clientConfig }];
  const path = `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`;
  assert.equal((await client.post(path, { metadata: { name: 'a' }, webhooks })).status, 201);
  return hook;
}

for (const kind of ['mutating', 'validating'] as const) {
  for (const failurePolicy of ['Fail', 'Ignore'] as const) {
    test(`a client that disconnects cancels the call of a ${kind} webhook with the failurePolicy ${failurePolicy}`, async (t) => {
      await using server = await ApiServer.start();
      const client = new RawClient(server);
      const hook = await silentWebhook(t, client, { kind, failurePolicy, timeoutSeconds: 30 });
      const disconnected = new AbortController();
      const called = once(hook.server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
      const created = client.send('POST', configMaps, {
        body: { metadata: { name: 'a' } },
        signal: disconnected.signal,
      });
      const [, response] = await called;
      disconnected.abort();
      await assert.rejects(created, { name: 'AbortError' });
      await once(response, 'close');
      assert.equal(response.writableFinished, false);
      while (server.pending().length > 0) await new Promise((resolve) => setImmediate(resolve));
      assert.equal((await client.get(`${configMaps}/a`)).status, 404);
    });
  }
}

test('the timeout in the query of a request limits the call of a conversion webhook', async () => {
  await using server = await ApiServer.start();
  await using webhook = await ConversionWebhook.start();
  const client = new RawClient(server);
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  assert.equal((await client.post(definitions, webhook.definition())).status, 201);
  const widgets = '/apis/example.com/v1/namespaces/default/widgets';
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } };
  assert.equal((await client.post(widgets, widget)).status, 201);
  webhook.answer = never;
  const reads = ['a', ''].map((name) => `${widgets.replace('v1', 'v2')}/${name}`);
  for (const path of reads) {
    const { status, body } = await client.get(`${path}?timeout=50ms`);
    const message = 'Timeout: request did not complete within the allotted timeout';
    assert.deepEqual([status, body['reason'], body['message']], [504, 'Timeout', message]);
  }
  const { status, body } = await client.send('DELETE', `${widgets.replace('v1', 'v2')}/a?timeout=50ms`);
  const message = 'Timeout: request did not complete within requested timeout - context deadline exceeded';
  assert.deepEqual([status, body['reason'], body['message']], [504, 'Timeout', message]);
});

test('the timeout in the query of a request limits the wait for a resourceVersion', async () => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  const { status, body } = await client.get(`${configMaps}?resourceVersion=100000&timeout=50ms`);
  const message = 'Timeout: request did not complete within the allotted timeout';
  assert.deepEqual([status, body['message']], [504, message]);
});

test('rejects an invalid timeout before the authentication of the user', async () => {
  await using server = await ApiServer.start();
  const client = new RawClient(server, { token: 'wrong' });
  const lead = 'invalid timeout specified in the request URL - time: ';
  const faults = {
    x: 'invalid duration "x"',
    5: 'missing unit in duration "5"',
    '1h5': 'missing unit in duration "1h5"',
    '5y': 'unknown unit "y" in duration "5y"',
    '99999999999999999999y': 'invalid duration "99999999999999999999y"',
    '10000000h': 'invalid duration "10000000h"',
    '-.s': 'invalid duration "-.s"',
    '1"ü': String.raw`unknown unit "\"\xc3\xbc" in duration "1\"\xc3\xbc"`,
  };
  for (const [timeout, fault] of Object.entries(faults)) {
    const { status, body } = await client.get(`${configMaps}?timeout=${encodeURIComponent(timeout)}`);
    assert.deepEqual([status, body['reason'], body['message']], [400, 'BadRequest', `${lead}${fault}`]);
  }
  assert.equal((await client.get('/healthz?timeout=x')).status, 400);
  assert.equal((await client.get(`${configMaps}?watch=1&timeout=x`)).status, 401);
  assert.equal((await client.get(`${configMaps}?timeout=-1s`)).status, 401);
});
