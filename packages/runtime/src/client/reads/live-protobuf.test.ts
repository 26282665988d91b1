import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { ApiError } from '@kubewright/api/errors';
import { Pod } from '@kubewright/api/core/v1';
import { loadMessages, ProtobufEncoder } from '@kubewright/api/protobuf';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import { protobufOr } from '../../transport/answer/protobuf-kind.js';
import { Discovery } from '../../transport/discovery/discovery.js';
import { Transport } from '../../transport/sending/transport.js';
import { CachedClient } from '../cached-client.js';
import type { Client } from '../client.js';

const JSON_TYPE = 'application/json';
const encoder = new ProtobufEncoder();
const types = await loadMessages('v1');
const podType = types?.type('Pod');
assert.ok(podType);
const key = { name: 'web', namespace: 'shop' };
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    ...key,
    uid: 'u1',
    resourceVersion: '7',
    managedFields: [{ manager: 'kubelet', operation: 'Update', fieldsV1: { 'f:spec': {} } }],
  },
  spec: { containers: [{ name: 'app', resources: {} }] },
  status: {},
};
const message = encoder.message(podType, pod);
const ofList = { apiVersion: 'v1', kind: 'PodList' };
const jsonList = { ...ofList, metadata: {}, items: [pod] };

async function withClient(
  run: (client: Client, server: ScriptedServer) => Promise<void>,
  { protobuf }: { readonly protobuf?: boolean } = {},
): Promise<void> {
  await using server = await ScriptedServer.start();
  await using transport = new Transport({ server: server.url }, { protobuf });
  const backend = { transport, discovery: new Discovery(transport) };
  await run(
    new CachedClient({ backend, clock: new SystemClock(), logger: new RecordingLogger(), fieldManager: 'tester' }),
    server,
  );
}

test('reads lists as protobuf, and then single objects, with managedFields', () =>
  withClient(async (client, server) => {
    const before = client.live.get(Pod, key);
    const json = await server.next();
    assert.equal(json.headers.accept, JSON_TYPE);
    json.json(200, pod);
    assert.deepEqual(await before, pod);
    const listed = client.live.list(Pod);
    const list = await server.next();
    assert.equal(list.headers.accept, protobufOr());
    list.protobuf(200, encoder.enveloped(encoder.field(2, message), ofList));
    assert.deepEqual(await listed, [pod]);
    const got = client.live.get(Pod, key);
    const single = await server.next();
    assert.equal(single.headers.accept, protobufOr());
    single.protobuf(200, encoder.enveloped(message, pod));
    assert.deepEqual(await got, pod);
    assert.ok(Object.isFrozen(await got) && Object.isFrozen((await got).metadata));
  }));

test('reads lists as JSON if the transport does not accept protobuf', () =>
  withClient(
    async (client, server) => {
      const listed = client.live.list(Pod);
      const list = await server.next();
      assert.equal(list.headers.accept, JSON_TYPE);
      list.json(200, jsonList);
      assert.deepEqual(await listed, [pod]);
    },
    { protobuf: false },
  ));

test('repeats a list as JSON if an object has a field that the message does not have', () =>
  withClient(async (client, server) => {
    const listed = client.live.list(Pod);
    const unknown = encoder.field(2, encoder.field(9, Buffer.from('new')));
    (await server.next()).protobuf(200, encoder.enveloped(unknown, ofList));
    const repeated = await server.next();
    assert.equal(repeated.headers.accept, JSON_TYPE);
    repeated.json(200, { ...jsonList, items: [{ ...pod, newer: 'new' }] });
    assert.deepEqual(await listed, [{ ...pod, newer: 'new' }]);
  }));

test('reports the Status of an error, and a response that is not valid, without its bytes', () =>
  withClient(async (client, server) => {
    const refused = client.live.list(Pod);
    const status = encoder.message((await loadMessages('meta.k8s.io/v1'))?.type('Status') ?? podType, {
      status: 'Failure',
      message: 'no',
      reason: 'Forbidden',
      code: 403,
    });
    const exchange = await server.next();
    exchange.protobuf(403, encoder.enveloped(status, { apiVersion: 'v1', kind: 'Status' }));
    await assert.rejects(refused, (error) => error instanceof ApiError && error.reason === 'Forbidden');
    const invalid = client.live.list(Pod);
    (await server.next()).protobuf(200, Buffer.from('k8s\0secret'));
    await assert.rejects(invalid, {
      code: 'INVALID_RESPONSE',
      message: /not valid: protobuf of 10 bytes \(not shown\)/,
    });
  }));
