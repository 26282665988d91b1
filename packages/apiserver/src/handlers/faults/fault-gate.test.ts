import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiServer } from '../../server/api-server.js';
import { SteppedClock } from '../../server/cluster.test.support.js';
import { configMap, RawClient } from '../../server/raw-client.test.support.js';
import type { FaultPlan, PlannedRequest } from './fault-plan.js';

const path = '/api/v1/namespaces/default/configmaps';

test('the server passes each request with its ordinal to the fault plan, and returns the planned status', async () => {
  const reported: PlannedRequest[] = [];
  const faults: FaultPlan = {
    onRequest: (request) => {
      if (request.resource === 'configmaps') reported.push(request);
      return request.ordinal === 1 ? { kind: 'status', code: 429, retryAfterSeconds: 2 } : undefined;
    },
  };
  await using server = await ApiServer.start({ faults });
  const client = new RawClient(server);
  const refused = await client.post(path, configMap('a'));
  assert.equal(refused.status, 429);
  assert.equal(refused.headers['retry-after'], '2');
  assert.equal((await client.post(path, configMap('a'))).status, 201);
  assert.deepEqual(reported[1], { verb: 'create', resource: 'configmaps', namespace: 'default', ordinal: 2 });
});

test('a planned cut after the write does not undo the write, and a planned cut before the write prevents the write', async () => {
  const faults: FaultPlan = {
    onRequest: ({ verb, ordinal }) =>
      verb === 'create' ? { kind: 'cut', after: ordinal === 1 ? 'none' : 'write' } : undefined,
  };
  await using server = await ApiServer.start({ faults });
  const client = new RawClient(server);
  await assert.rejects(client.post(path, configMap('a')));
  assert.equal((await client.get(`${path}/a`)).status, 404);
  await assert.rejects(client.post(path, configMap('a')));
  assert.equal((await client.get(`${path}/a`)).status, 200);
});

test('a planned watch fault cuts the watch in the middle of the event, or sends an ERROR event instead of the event', async () => {
  for (const kind of ['cut', 'expire'] as const) {
    const faults: FaultPlan = {
      onWatchEvent: ({ ordinal }) => (ordinal === 2 ? { kind, midEvent: true } : undefined),
    };
    await using server = await ApiServer.start({ faults });
    const client = new RawClient(server);
    const from = server.resourceVersion;
    await client.post(path, configMap('a'));
    await client.post(path, configMap('b'));
    const types: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { type } of client.watch(`${path}?watch=1&resourceVersion=${from}&labelSelector=!x`))
        types.push(type);
    };
    if (kind === 'cut') await assert.rejects(read());
    else await read();
    assert.deepEqual(types, kind === 'cut' ? ['ADDED'] : ['ADDED', 'ERROR']);
  }
});

test('the server executes a delayed write only if the client is still connected', async () => {
  const clock = new SteppedClock();
  const faults: FaultPlan = { onRequest: ({ verb }) => (verb === 'create' ? { kind: 'delay', ms: 1000 } : undefined) };
  await using server = await ApiServer.start({ faults, clock });
  const client = new RawClient(server);
  const arrived = async (): Promise<void> => {
    while (!server.pending().includes('requests (1)')) await nextTurn();
  };
  const awaited = client.post(path, configMap('awaited'));
  await arrived();
  clock.advance(1000);
  assert.equal((await awaited).status, 201);
  const abandoned = assert.rejects(client.post(path, configMap('abandoned')));
  await arrived();
  server.cutConnections();
  await abandoned;
  clock.advance(1000);
  while (server.pending().length > 0) await nextTurn();
  assert.equal((await client.get(`${path}/abandoned`)).status, 404);
});

test('a watch sends a repeated event twice, and the next events once', async () => {
  const faults: FaultPlan = { onWatchEvent: ({ ordinal }) => (ordinal === 1 ? { kind: 'repeat' } : undefined) };
  await using server = await ApiServer.start({ faults });
  const client = new RawClient(server);
  const from = server.resourceVersion;
  for (const name of ['a', 'b']) await client.post(path, configMap(name));
  const names: string[] = [];
  for await (const { object } of client.watch(`${path}?watch=1&resourceVersion=${from}`)) {
    names.push((object as { readonly metadata: { readonly name: string } }).metadata.name);
    if (names.length === 3) break;
  }
  assert.deepEqual(names, ['a', 'a', 'b']);
});

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
