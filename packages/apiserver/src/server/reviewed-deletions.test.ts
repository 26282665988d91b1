import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { JsonObject } from '../registry/objects/api-object.js';
import { objectsAt, stringAt } from '../registry/objects/json-object.js';
import { ApiServer } from './api-server.js';
import { RawClient } from './raw-client.test.support.js';
import { type Reply, webhookServer } from './webhook-server.test.support.js';

const configMaps = '/api/v1/namespaces/default/configmaps';

/** Installs a webhook that answers deletions by controllers with `reply`, and allows other deletions. Returns the received requests. */
async function reviewDeletions(t: TestContext, client: RawClient, reply: Reply): Promise<readonly JsonObject[]> {
  const hook = await webhookServer(t, (request) =>
    stringAt(request, 'userInfo', 'username').startsWith('system:serviceaccount:') ? reply(request) : {},
  );
  const rules = [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['DELETE'] }];
  const webhook = { name: 'a.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'], rules };
  const webhooks = [{ ...webhook, clientConfig: hook.clientConfig, timeoutSeconds: 30 }];
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  assert.equal((await client.post(path, { metadata: { name: 'a' }, webhooks })).status, 201);
  return hook.requests;
}

/** Creates an owner with dependents, and deletes the owner. */
async function abandon(client: RawClient, dependents: readonly string[], query = ''): Promise<void> {
  const { uid } = (await client.post(configMaps, { metadata: { name: 'owner' } })).body.metadata;
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, blockOwnerDeletion: true };
  for (const name of dependents) {
    assert.equal((await client.post(configMaps, { metadata: { name, ownerReferences: [owner] } })).status, 201);
  }
  assert.equal((await client.send('DELETE', `${configMaps}/owner${query}`)).status, 200);
}

async function untilAbsent(client: RawClient, path: string): Promise<void> {
  while ((await client.get(path)).status !== 404) await new Promise((resolve) => setImmediate(resolve));
}

test('the garbage collector deletes other objects while a webhook does not answer', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  const slow = new Set(['b', 'd']);
  const requests = await reviewDeletions(t, client, ({ oldObject }) =>
    slow.has(stringAt(oldObject, 'metadata', 'name')) ? new Promise<never>(() => undefined) : {},
  );
  await abandon(client, ['a', 'b', 'c', 'd', 'e']);
  for (const name of ['a', 'c', 'e']) await untilAbsent(client, `${configMaps}/${name}`);
  for (const name of slow) assert.equal((await client.get(`${configMaps}/${name}`)).status, 200);
  assert.ok(
    server.pending().some((work) => work.startsWith('generic-garbage-collector /configmaps')),
    `${server.pending()}`,
  );
  assert.equal(requests.length >= 4, true);
});

for (const query of ['', '?propagationPolicy=Foreground']) {
  test(`the garbage collector retries denied deletions, and deletes other dependents (query "${query}")`, async (t) => {
    await using server = await ApiServer.start();
    const client = new RawClient(server);
    let isDenied = true;
    const requests = await reviewDeletions(t, client, ({ oldObject }) => ({
      allowed: !(isDenied && stringAt(oldObject, 'metadata', 'name') === 'b'),
    }));
    await abandon(client, ['a', 'b', 'c'], query);
    for (const name of ['a', 'c']) await untilAbsent(client, `${configMaps}/${name}`);
    assert.equal((await client.get(`${configMaps}/b`)).status, 200);
    isDenied = false;
    await untilAbsent(client, `${configMaps}/b`);
    await untilAbsent(client, `${configMaps}/owner`);
    const users = new Set(requests.map((request) => stringAt(request, 'userInfo', 'username')));
    assert.ok(users.has('system:serviceaccount:kube-system:generic-garbage-collector'));
  });
}

test('a webhook that reviews a deletion by the garbage collector can itself delete objects', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  await client.post('/api/v1/namespaces', { metadata: { name: 'other' } });
  const others = '/api/v1/namespaces/other/configmaps';
  assert.equal((await client.post(others, { metadata: { name: 'a' } })).status, 201);
  await reviewDeletions(t, client, async ({ namespace }) => {
    if (namespace === 'default') await client.send('DELETE', `${others}/a`);
    return {};
  });
  await abandon(client, ['a']);
  await untilAbsent(client, `${configMaps}/a`);
  await untilAbsent(client, `${others}/a`);
});

test('the namespace controller deletes other objects while a webhook denies a deletion, and then retries', async (t) => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  const path = '/api/v1/namespaces/other';
  await client.post('/api/v1/namespaces', { metadata: { name: 'other' } });
  for (const name of ['a', 'b', 'c']) {
    assert.equal((await client.post(`${path}/configmaps`, { metadata: { name } })).status, 201);
  }
  assert.equal((await client.post(`${path}/secrets`, { metadata: { name: 'a' } })).status, 201);
  let isDenied = true;
  const requests = await reviewDeletions(t, client, ({ oldObject }) => ({
    allowed: !(isDenied && stringAt(oldObject, 'metadata', 'name') === 'b'),
    status: { message: 'kept' },
  }));
  await client.send('DELETE', path);
  for (const name of ['configmaps/a', 'configmaps/c', 'secrets/a']) await untilAbsent(client, `${path}/${name}`);
  const failure = async (): Promise<JsonObject | undefined> =>
    objectsAt((await client.get(path)).body, 'status', 'conditions').find(
      ({ type, status }) => type === 'NamespaceDeletionContentFailure' && status === 'True',
    );
  while ((await failure()) === undefined) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(
    (await failure())?.['message'],
    'Failed to delete all resource types, 1 remaining: admission webhook "a.example.com" denied the request: kept',
  );
  isDenied = false;
  await untilAbsent(client, path);
  const users = new Set(requests.map((request) => stringAt(request, 'userInfo', 'username')));
  assert.deepEqual([...users], ['kubernetes-admin', 'system:serviceaccount:kube-system:namespace-controller']);
});
