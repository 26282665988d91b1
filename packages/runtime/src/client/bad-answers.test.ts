import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineKind, type KubeObject, metadataOnly } from '@kubewright/api';
import { SelfSubjectReview } from '@kubewright/api/authentication/v1';
import { SystemClock } from '@kubewright/api/clock';
import { Binding, ConfigMap, Node, ServiceAccount } from '@kubewright/api/core/v1';
import { Deployment } from '@kubewright/api/apps/v1';
import { CacheBench } from '../test-support/cache-bench.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { ScriptedServer } from '../test-support/scripted-server.js';
import { Discovery } from '../transport/discovery/discovery.js';
import { Transport } from '../transport/sending/transport.js';
import { CachedClient } from './cached-client.js';
import type { Client } from './client.js';
import { runInScope } from './scope/reconcile-scope.js';

const SECRET = 'c2VjcmV0LXZhbHVl';
const key = { name: 'web', namespace: 'shop' };
const metadata = { ...key, uid: 'u1', resourceVersion: '7', creationTimestamp: '' };
const configMap: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { password: SECRET } };
const { namespace: _, ...withoutNamespace } = metadata;
const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: withoutNamespace, spec: {} };
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata } as Deployment;
const account: ServiceAccount = { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas: 2 } };
const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata };
const token = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, status: { token: SECRET } };
const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata };
const success = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Success' };
const Widget = defineKind({ group: 'example.com', version: 'v1', kind: 'Widget' });
const ProjectRequest = defineKind({
  group: 'project.openshift.io',
  version: 'v1',
  kind: 'ProjectRequest',
  scope: 'Cluster',
});
const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata } as KubeObject;
const edit = (draft: object): void => void Object.assign(draft, { data: { a: 'b' } });
const { name: _name, ...unnamed } = metadata;
const generated = { ...configMap, metadata: { ...unnamed, generateName: 'we' } } as unknown as ConfigMap;

/** A client call for one object, and the valid object that the server returns. */
interface Operation {
  readonly call: (client: Client) => Promise<unknown>;
  readonly good: KubeObject;
  readonly attempted: string;
  /** Whether the call reads the object before it writes. */
  readonly reads?: boolean;
}

const operations: Readonly<Record<string, Operation>> = {
  get: { call: (c) => c.live.get(ConfigMap, key), good: configMap, attempted: 'get ConfigMap shop/web' },
  find: { call: (c) => c.live.find(ConfigMap, key), good: configMap, attempted: 'get ConfigMap shop/web' },
  'get of a cluster-scoped kind': {
    call: (c) => c.live.get(Node, { name: 'web' }),
    good: node,
    attempted: 'get Node web',
  },
  'get of a custom kind': { call: (c) => c.live.get(Widget, key), good: widget, attempted: 'get Widget shop/web' },
  'get of metadata': {
    call: (c) => c.live.get(metadataOnly(ConfigMap), key),
    good: partial,
    attempted: 'get ConfigMap shop/web',
  },
  create: { call: (c) => c.create(configMap), good: configMap, attempted: 'create ConfigMap shop/web' },
  'create, dry run': {
    call: (c) => c.create(configMap, { dryRun: true }),
    good: configMap,
    attempted: 'create ConfigMap shop/web',
  },
  'create with generateName': {
    call: (c) => c.create(generated),
    good: configMap,
    attempted: 'create ConfigMap shop/we…',
  },
  'create of a custom kind': { call: (c) => c.create(widget), good: widget, attempted: 'create Widget shop/web' },
  update: { call: (c) => c.update(configMap), good: configMap, attempted: 'update ConfigMap shop/web' },
  patch: { call: (c) => c.patch(configMap, edit), good: configMap, attempted: 'patch ConfigMap shop/web' },
  'patch of metadata': {
    call: async (c) => c.patch({ ...partial, kind: 'ConfigMap', apiVersion: 'v1' }, { merge: { metadata: {} } }),
    good: configMap,
    attempted: 'patch ConfigMap shop/web',
  },
  apply: {
    call: (c) => c.apply(configMap),
    good: configMap,
    attempted: 'apply ConfigMap shop/web',
    reads: true,
  },
  'patch of the status': {
    call: (c) => c.patchStatus(deployment, { replicas: 3 }),
    good: deployment,
    attempted: 'patch the status of Deployment shop/web',
  },
  delete: { call: (c) => c.delete(configMap), good: configMap, attempted: 'delete ConfigMap shop/web' },
  'get of the status': {
    call: (c) => c.subresource(deployment, 'status').get(),
    good: deployment,
    attempted: 'get the status of Deployment shop/web',
  },
  'update of the status': {
    call: (c) => c.subresource(deployment, 'status').update(deployment),
    good: deployment,
    attempted: 'update the status of Deployment shop/web',
  },
  'get of the scale': {
    call: (c) => c.subresource(deployment, 'scale').get(),
    good: scale,
    attempted: 'get the scale of Deployment shop/web',
  },
  'patch of the scale': {
    call: (c) => c.subresource(deployment, 'scale').patch({ merge: { spec: { replicas: 2 } } }),
    good: scale,
    attempted: 'patch the scale of Deployment shop/web',
  },
  'apply of the scale': {
    call: (c) => c.subresource(deployment, 'scale').apply({ spec: { replicas: 2 } }),
    good: scale,
    attempted: 'apply the scale of Deployment shop/web',
  },
  'create of a token': {
    call: (c) => c.subresource(account, 'token').create({}),
    good: token,
    attempted: 'create the token of ServiceAccount shop/web',
  },
  'create of an eviction': {
    call: (c) => c.subresource(configMap, 'eviction').create({}),
    good: eviction,
    attempted: 'create the eviction of ConfigMap shop/web',
  },
};

/**
 * Returns invalid responses to a request for the object. Each response contains a secret, so that tests can check that no error message
 * contains response data.
 */
function badAnswersFor(good: KubeObject): Readonly<Record<string, unknown>> {
  const changed = (change: object): object => ({ ...good, metadata: { ...good.metadata, ...change } });
  return {
    null: null,
    'an array': [SECRET],
    'a string': SECRET,
    'a number': 7,
    'an empty object': { data: SECRET },
    'a list': { ...good, kind: `${good.kind}List`, metadata: {}, items: [SECRET] },
    'another kind': { ...good, kind: 'Secret', data: SECRET },
    'another version': { ...good, apiVersion: 'v7', data: SECRET },
    'a failure': { ...success, status: 'Failure', message: SECRET },
    'no metadata': { ...good, metadata: undefined, data: SECRET },
    'metadata that is an array': { ...good, metadata: [SECRET] },
    'no name': changed({ name: undefined }),
    'a name that is an object': changed({ name: { a: SECRET } }),
    'another name': changed({ name: SECRET }),
    'another namespace': changed({ namespace: SECRET }),
    'a namespace that is an array': changed({ namespace: [SECRET] }),
    'a resourceVersion that is an object': changed({ resourceVersion: { a: SECRET } }),
    'a resourceVersion that is a number': changed({ resourceVersion: 7 }),
    'a uid that is a number': changed({ uid: 7 }),
  };
}

for (const [title, { call, good, attempted, reads = false }] of Object.entries(operations)) {
  test(`${title}: fails with INVALID_RESPONSE if the response is not the requested object`, async () => {
    await using bench = await Bench.start();
    const answered = async (body: unknown): Promise<unknown> => {
      const done = call(bench.client);
      if (reads) (await bench.server.next()).status(404, 'NotFound', { details: { name: 'web' } });
      (await bench.server.next()).json(200, body);
      return done;
    };
    for (const [what, body] of Object.entries(badAnswersFor(good))) {
      await assert.rejects(answered(body), (error: Error & { readonly code?: string }) => {
        assert.equal(error.code, 'INVALID_RESPONSE', `${what}: ${error.message}`);
        assert.ok(error.message.startsWith(`${attempted}: `), error.message);
        assert.ok(!error.message.includes(SECRET), error.message);
        return true;
      });
    }
    await answered(good);
    const { kind: _kind, apiVersion: _version, ...withoutKind } = good;
    await answered(withoutKind);
  });
}

for (const [title, call] of [
  ['a list', (c: Client) => c.live.list(ConfigMap, { namespace: 'shop' })],
  ['deleteAll', (c: Client) => c.deleteAll(ConfigMap, { namespace: 'shop' })],
] as const) {
  test(`${title}: fails with INVALID_RESPONSE for an item that is not an object of the list`, async () => {
    await using bench = await Bench.start();
    const answered = async (item: unknown): Promise<unknown> => {
      const done = call(bench.client);
      (await bench.server.next()).list('9', [configMap, item]);
      return done;
    };
    for (const [what, item] of Object.entries(badAnswersFor(configMap))) {
      if (what === 'another name') continue;
      await assert.rejects(answered(item), { code: 'INVALID_RESPONSE' }, what);
    }
    await answered({ metadata: { ...metadata, name: 'other' } });
  });
}

test('a deletion accepts a Status and an empty response', async () => {
  await using bench = await Bench.start();
  for (const call of [
    (c: Client) => c.delete(configMap),
    (c: Client) => c.deleteAll(ConfigMap, { namespace: 'shop' }),
  ]) {
    for (const body of [JSON.stringify(success), '']) {
      const done = call(bench.client);
      (await bench.server.next()).text(200, body);
      await done;
    }
  }
});

const accepted: Readonly<Record<string, readonly [call: (c: Client) => Promise<unknown>, body: object]>> = {
  'a review without a name': [
    (c) => c.create(new SelfSubjectReview({ metadata: { name: 'me' } })),
    { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} },
  ],
  'an object without a name, which an aggregated API server does not store': [
    (c) => c.create({ ...widget, metadata: { namespace: 'shop' } } as KubeObject),
    { ...widget, metadata: {} },
  ],
  'a Project for a ProjectRequest': [
    (c) =>
      c.create({
        ...widget,
        apiVersion: 'project.openshift.io/v1',
        kind: 'ProjectRequest',
        metadata: withoutNamespace,
      }),
    { apiVersion: 'project.openshift.io/v1', kind: 'Project', metadata: withoutNamespace },
  ],
  'a Status for a Binding': [
    (c) => c.create(new Binding({ metadata: key, target: { kind: 'Node', name: 'n1' } })),
    success,
  ],
  'a Status for an eviction': [(c) => c.subresource(configMap, 'eviction').create({}), success],
  'a name that starts with the first 58 characters of a long generateName': [
    (c) => c.create({ ...generated, metadata: { ...generated.metadata, generateName: 'a'.repeat(70) } }),
    { ...configMap, metadata: { ...metadata, name: `${'a'.repeat(58)}x7k2p` } },
  ],
  'a whole object instead of its metadata': [(c) => c.live.get(metadataOnly(ConfigMap), key), configMap],
  'an object with another kind and name for an unknown subresource': [
    (c) => c.subresource(configMap, 'instantiate').create({}),
    { kind: 'Build', apiVersion: 'build.example.com/v1', metadata: { name: 'web-1' } },
  ],
};

for (const [title, [call, body]] of Object.entries(accepted)) {
  test(`the client accepts a response: ${title}`, async () => {
    await using bench = await Bench.start();
    const done = call(bench.client);
    (await bench.server.next()).json(201, body);
    await done;
  });
}

test('a create of an unknown subresource fails if the response has the kind but not the name of the parent', async () => {
  await using bench = await Bench.start();
  const done = bench.client.subresource(configMap, 'instantiate').create({});
  (await bench.server.next()).json(201, { ...configMap, metadata: { ...metadata, name: 'other' } });
  await assert.rejects(done, { code: 'INVALID_RESPONSE' });
});

test('cached reads ignore an invalid response to a write, and the write is reported as unanswered', async () => {
  await using bench = await CacheBench.start({ namespaces: ['shop'] });
  const { transport, discovery, cache, server, clock, logger } = bench;
  const client = new CachedClient({
    backend: { transport, discovery, cache },
    clock,
    logger,
    fieldManager: 'tester',
  });
  const opened = client.find(ConfigMap, key);
  (await server.next()).list('10', []);
  assert.equal(await opened, undefined);
  await server.next();
  const unanswered: string[] = [];
  const scope = {
    controller: 'tester',
    owns: [],
    onUnanswered: (object: KubeObject) => void unanswered.push(object.metadata.name),
  };
  const done = runInScope(scope, () => client.create(configMap));
  (await server.next()).json(201, { ...configMap, metadata: { ...metadata, name: 'other' } });
  await assert.rejects(done, { code: 'INVALID_RESPONSE' });
  assert.deepEqual(unanswered, ['web']);
  assert.deepEqual(await client.list(ConfigMap, { namespace: 'shop' }), []);
});

/** A client with live reads, and the server that receives its requests. */
class Bench implements AsyncDisposable {
  readonly client: Client;
  readonly #transport: Transport;

  private constructor(readonly server: ScriptedServer) {
    this.#transport = new Transport({ server: server.url });
    this.client = new CachedClient({
      backend: { transport: this.#transport, discovery: new Discovery(this.#transport) },
      clock: new SystemClock(),
      logger: new RecordingLogger(),
      fieldManager: 'tester',
      reads: 'live',
      kinds: [Widget, ProjectRequest],
    });
  }
  static async start(): Promise<Bench> {
    return new Bench(await ScriptedServer.start());
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport.close();
    await this.server.close();
  }
}
