import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiServer } from '../../server/api-server.js';
import { SteppedClock } from '../../server/cluster.test.support.js';
import { configMap, RawClient } from '../../server/raw-client.test.support.js';
import type { FaultPlan, PlannedRequest, RequestFault } from './fault-plan.js';

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

test('a planned stale list shows an earlier state, and a planned reverse order affects lists and initial events', async () => {
  let fault: RequestFault | undefined;
  const queries: (string | null | undefined)[] = [];
  const faults: FaultPlan = {
    onRequest: ({ verb, query }) => {
      if (verb !== 'list' && verb !== 'watch') return undefined;
      queries.push(query?.get('resourceVersion'));
      return fault;
    },
  };
  await using server = await ApiServer.start({ faults });
  const client = new RawClient(server);
  const labels = { app: 'x' };
  for (const name of ['a', 'b']) await client.post(path, configMap(name, {}, labels));
  const version = server.resourceVersion;
  await client.post(path, configMap('c', {}, labels));
  const list = async (): Promise<unknown> => {
    const { items, metadata } = (await client.get(`${path}?resourceVersion=0&limit=1&labelSelector=app`)).body as {
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
      readonly metadata: { readonly resourceVersion: string };
    };
    return [items.map(({ metadata: { name } }) => name).join(''), metadata.resourceVersion];
  };
  assert.deepEqual(await list(), ['abc', server.resourceVersion]);
  fault = { kind: 'stale', version };
  assert.deepEqual(await list(), ['ab', version]);
  fault = { kind: 'reverse' };
  assert.deepEqual(await list(), ['cba', server.resourceVersion]);
  const names: string[] = [];
  for await (const { object } of client.watch(`${path}?watch=1&labelSelector=app`)) {
    names.push((object as { readonly metadata: { readonly name: string } }).metadata.name);
    if (names.length === 3) break;
  }
  assert.deepEqual(names, ['c', 'b', 'a']);
  assert.deepEqual(queries, ['0', '0', '0', null]);
});

test('the fault plan receives the version and the ID of a watch event, and can expire a watch after a pause', async () => {
  const clock = new SteppedClock();
  const reported: unknown[] = [];
  const faults: FaultPlan = {
    onWatchEvent: ({ version, id }) => {
      reported.push([version, id]);
      return { kind: 'expire', afterMs: 1000 };
    },
  };
  await using server = await ApiServer.start({ faults, clock });
  const client = new RawClient(server);
  const from = server.resourceVersion;
  const created = await client.post(path, configMap('a'));
  await client.post(path, configMap('b'));
  const types: string[] = [];
  const watched = (async () => {
    const url = `${path}?watch=1&resourceVersion=${from}&labelSelector=!x`;
    for await (const { type } of client.watch(url, { 'audit-id': 'watch-1' })) types.push(type);
  })();
  while (reported.length === 0) await nextTurn();
  assert.deepEqual(types, []);
  clock.advance(1000);
  await watched;
  assert.deepEqual(types, ['ERROR']);
  assert.deepEqual(reported, [[created.body.metadata.resourceVersion, 'watch-1']]);
});

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
