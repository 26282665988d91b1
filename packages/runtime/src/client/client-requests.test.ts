import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { type KubeObject, metadataOnly } from '@kubewright/api';
import { ConfigMap, Node, Pod } from '@kubewright/api/core/v1';
import { SystemClock } from '@kubewright/api/clock';
import { labelSelectorFromObject } from '@kubewright/api/selectors';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { type Exchange, ScriptedServer } from '../test-support/scripted-server.js';
import { Discovery } from '../transport/discovery/discovery.js';
import { PARTIAL_LIST, PARTIAL_OBJECT } from '../transport/answer/partial-metadata.js';
import { protobufOr } from '../transport/answer/protobuf-kind.js';
import { Transport } from '../transport/sending/transport.js';
import { CachedClient } from './cached-client.js';
import type { Client } from './client.js';
import { runInScope } from './scope/reconcile-scope.js';

const metadata = { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '7', creationTimestamp: '' };
const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [] } };
const { namespace: _, ...withoutNamespace } = metadata;
const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { ...withoutNamespace, name: 'n1' }, spec: {} };
const key = { name: 'web', namespace: 'shop' };
const pods = '/api/v1/namespaces/shop/pods';
const one = `${pods}/web`;

/** The expected request. If `query` or `body` is omitted, the request must not have a query or a body. */
interface Sent {
  readonly line: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly type?: string;
  readonly accept?: string;
}
interface Row extends Sent {
  readonly call: (client: Client) => Promise<unknown>;
}
const deletion = { kind: 'DeleteOptions', apiVersion: 'v1' };
const by = { fieldManager: 'tester' };
const bare = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop' } } as KubeObject;
const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: key, spec: { replicas: 2 } };
const merge = 'application/merge-patch+json';
const everything = { dryRun: true, fieldManager: 'me', fieldValidation: 'Strict' } as const;
const allOptions = { dryRun: 'All', fieldManager: 'me', fieldValidation: 'Strict' };
const edit = (draft: { metadata: { labels: Record<string, string> } }): void => void (draft.metadata.labels.a = 'b');
const edited = { metadata: { labels: { a: 'b' } } };

const rows: Readonly<Record<string, Row>> = {
  get: { call: (c) => c.get(Pod, key), line: `GET ${one}` },
  'get of a cluster-scoped kind': { call: (c) => c.get(Node, { name: 'n1' }), line: 'GET /api/v1/nodes/n1' },
  'get, metadata': { call: (c) => c.get(metadataOnly(Pod), key), line: `GET ${one}`, accept: PARTIAL_OBJECT },
  list: { call: (c) => c.list(Pod), line: 'GET /api/v1/pods', query: { limit: '500' } },
  'list, metadata': {
    call: (c) => c.list(metadataOnly(Pod)),
    line: 'GET /api/v1/pods',
    query: { limit: '500' },
    accept: PARTIAL_LIST,
  },
  'list, namespace': { call: (c) => c.list(Pod, { namespace: 'shop' }), line: `GET ${pods}`, query: { limit: '500' } },
  'list, labels': {
    call: (c) => c.list(Pod, { labels: { b: '2', a: '1' } }),
    line: 'GET /api/v1/pods',
    query: { limit: '500', labelSelector: 'a=1,b=2' },
  },
  'list, label selector': {
    call: (c) => c.list(Pod, { labels: 'tier in (a, b)' }),
    line: 'GET /api/v1/pods',
    query: { limit: '500', labelSelector: 'tier in (a, b)' },
  },
  'list, has label': {
    call: (c) => c.list(Pod, { labels: [{ a: '1' }, 'tier'] }),
    line: 'GET /api/v1/pods',
    query: { limit: '500', labelSelector: 'a=1,tier' },
  },
  'list, selector object': {
    call: (c) =>
      c.list(Pod, { labels: labelSelectorFromObject({ matchExpressions: [{ key: 'a', operator: 'Exists' }] }) }),
    line: 'GET /api/v1/pods',
    query: { limit: '500', labelSelector: 'a' },
  },
  'list, empty selector': {
    call: (c) => c.list(Pod, { labels: labelSelectorFromObject(undefined) }),
    line: 'GET /api/v1/pods',
    query: { limit: '500', labelSelector: 'kubewright.dev/nothing,!kubewright.dev/nothing' },
  },
  'list, fields': {
    call: (c) => c.list(Pod, { fields: { 'spec.nodeName': 'a,b' } }),
    line: 'GET /api/v1/pods',
    query: { limit: '500', fieldSelector: 'spec.nodeName=a\\,b' },
  },
  'list, field selector': {
    call: (c) => c.list(Pod, { fields: 'status.phase!=Failed' }),
    line: 'GET /api/v1/pods',
    query: { limit: '500', fieldSelector: 'status.phase!=Failed' },
  },
  'pages, limit and continue': {
    call: (c) => firstOf(c.live.pages(Pod, { limit: 3, continue: 'token' })),
    line: 'GET /api/v1/pods',
    query: { limit: '3', continue: 'token' },
  },
  create: { call: (c) => c.create(pod), line: `POST ${pods}`, query: by, body: pod },
  'create, all options': { call: (c) => c.create(pod, everything), line: `POST ${pods}`, query: allOptions, body: pod },
  'create of a cluster-scoped kind': {
    call: (c) => c.create(node),
    line: 'POST /api/v1/nodes',
    query: by,
    body: node,
  },
  update: { call: (c) => c.update(pod), line: `PUT ${one}`, query: by, body: pod },
  'update, all options': { call: (c) => c.update(pod, everything), line: `PUT ${one}`, query: allOptions, body: pod },
  patch: { call: (c) => c.patch(pod, edit), line: `PATCH ${one}`, query: by, body: edited, type: merge },
  'patch, all options': {
    call: (c) => c.patch(pod, edit, everything),
    line: `PATCH ${one}`,
    query: allOptions,
    body: edited,
    type: merge,
  },
  'patch, optimistic': {
    call: (c) => c.patch(pod, edit, { optimistic: true }),
    line: `PATCH ${one}`,
    query: by,
    body: { metadata: { labels: { a: 'b' }, resourceVersion: '7' } },
    type: merge,
  },
  'merge patch': {
    call: (c) => c.patch(pod, { merge: { metadata: { labels: { a: null } } } }, everything),
    line: `PATCH ${one}`,
    query: allOptions,
    body: { metadata: { labels: { a: null } } },
    type: merge,
  },
  'strategic merge patch': {
    call: (c) => c.patch(pod, { strategicMerge: edited }),
    line: `PATCH ${one}`,
    query: by,
    body: edited,
    type: 'application/strategic-merge-patch+json',
  },
  'strategic merge patch, optimistic': {
    call: (c) => c.patch(pod, { strategicMerge: edited }, { optimistic: true }),
    line: `PATCH ${one}`,
    query: by,
    body: { metadata: { labels: { a: 'b' }, resourceVersion: '7' } },
    type: 'application/strategic-merge-patch+json',
  },
  'JSON patch': {
    call: (c) => c.patch(pod, { json: [{ op: 'remove', path: '/metadata/labels' }] }, everything),
    line: `PATCH ${one}`,
    query: allOptions,
    body: [{ op: 'remove', path: '/metadata/labels' }],
    type: 'application/json-patch+json',
  },
  'JSON patch, optimistic': {
    call: (c) => c.patch(pod, { json: [] }, { optimistic: true }),
    line: `PATCH ${one}`,
    query: by,
    body: [{ op: 'replace', path: '/metadata/resourceVersion', value: '7' }],
    type: 'application/json-patch+json',
  },
  'patch of the status': {
    call: (c) => c.patchStatus(pod, { phase: 'Running' }, { ...everything, optimistic: true }),
    line: `PATCH ${one}/status`,
    query: allOptions,
    body: { status: { phase: 'Running' }, metadata: { resourceVersion: '7' } },
    type: merge,
  },
  delete: { call: (c) => c.delete(pod), line: `DELETE ${one}`, body: { ...deletion, preconditions: { uid: 'u1' } } },
  'delete, propagation': {
    call: (c) => c.delete(pod, { propagation: 'Orphan' }),
    line: `DELETE ${one}`,
    body: { ...deletion, propagationPolicy: 'Orphan', preconditions: { uid: 'u1' } },
  },
  'delete, grace period': {
    call: (c) => c.delete(pod, { gracePeriodSeconds: 0 }),
    line: `DELETE ${one}`,
    body: { ...deletion, gracePeriodSeconds: 0, preconditions: { uid: 'u1' } },
  },
  'delete, preconditions': {
    call: (c) => c.delete(pod, { sameVersion: true, sameUid: false }),
    line: `DELETE ${one}`,
    body: { ...deletion, preconditions: { resourceVersion: '7' } },
  },
  'delete, dry run': {
    call: (c) => c.delete(bare, { dryRun: true }),
    line: `DELETE ${one}`,
    body: { ...deletion, dryRun: ['All'] },
  },
  'delete all': {
    call: (c) =>
      c.deleteAll(Pod, {
        namespace: 'shop',
        labels: { a: 'b' },
        fields: 'spec.nodeName=n1',
        propagation: 'Foreground',
        gracePeriodSeconds: 3,
        dryRun: true,
      }),
    line: `DELETE ${pods}`,
    query: { labelSelector: 'a=b', fieldSelector: 'spec.nodeName=n1' },
    body: { ...deletion, propagationPolicy: 'Foreground', gracePeriodSeconds: 3, dryRun: ['All'] },
  },
  'delete all of a cluster-scoped kind': {
    call: (c) => c.deleteAll(Node),
    line: 'DELETE /api/v1/nodes',
    body: deletion,
  },
  'get of a subresource': { call: (c) => c.subresource(pod, 'scale').get(), line: `GET ${one}/scale` },
  'create of a subresource': {
    call: (c) => c.subresource(pod, 'eviction').create({}, everything),
    line: `POST ${one}/eviction`,
    query: allOptions,
    body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: key },
  },
  'update of a subresource': {
    call: (c) => c.subresource(pod, 'scale').update({ spec: { replicas: 2 } }, everything),
    line: `PUT ${one}/scale`,
    query: allOptions,
    body: scale,
  },
  'patch of a subresource': {
    call: (c) =>
      c.subresource(pod, 'scale').patch({ merge: { spec: { replicas: 2 } } }, { ...everything, optimistic: true }),
    line: `PATCH ${one}/scale`,
    query: allOptions,
    body: { spec: { replicas: 2 }, metadata: { resourceVersion: '7' } },
    type: merge,
  },
  'apply of a subresource': {
    call: (c) => c.subresource(pod, 'scale').apply({ spec: { replicas: 2 } }, { ...everything, force: true }),
    line: `PATCH ${one}/scale`,
    query: { ...allOptions, force: 'true' },
    body: scale,
    type: 'application/apply-patch+yaml',
  },
  'client, all options': {
    call: (c) => c.with(everything).create(pod),
    line: `POST ${pods}`,
    query: allOptions,
    body: pod,
  },
  'client and call, the call takes precedence': {
    call: (c) => c.with(everything).create(pod, { fieldManager: 'you', fieldValidation: 'Warn' }),
    line: `POST ${pods}`,
    query: { dryRun: 'All', fieldManager: 'you', fieldValidation: 'Warn' },
    body: pod,
  },
  'client derived from a client, the last option takes precedence': {
    call: (c) => c.with(everything).with({ fieldManager: 'you' }).create(pod),
    line: `POST ${pods}`,
    query: { ...allOptions, fieldManager: 'you' },
    body: pod,
  },
  'client, dry run of a deletion': {
    call: (c) => c.with({ dryRun: true }).delete(bare),
    line: `DELETE ${one}`,
    body: { ...deletion, dryRun: ['All'] },
  },
  'client, namespace': {
    call: (c) => c.with({ namespace: 'shop' }).list(Pod),
    line: `GET ${pods}`,
    query: { limit: '500' },
  },
};

for (const [
  what,
  { call, line, query = {}, body, type = 'application/json', accept = 'application/json' },
] of Object.entries(rows)) {
  test(`[CO-01] ${what}: sends each option as a request field`, async () => {
    await using bench = await Bench.start();
    const done = call(bench.client);
    const exchange = await bench.server.next();
    assert.equal(`${exchange.method} ${exchange.path}`, line);
    assert.deepEqual(exchange.query, query);
    assert.deepEqual(exchange.body === '' ? undefined : JSON.parse(exchange.body), body);
    if (body !== undefined) assert.equal(exchange.headers['content-type'], type);
    // Lists of built-in kinds are read as protobuf.
    const isList = line.startsWith('GET') && query['limit'] !== undefined;
    assert.equal(exchange.headers.accept, isList ? protobufOr(accept) : accept);
    answer(exchange);
    await done;
  });
}

test('[CO-02] a call without options sends only the defaults', async () => {
  await using bench = await Bench.start();
  const calls: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
    'GET {}': (c) => c.get(Pod, key),
    'POST {"fieldManager":"tester"}': (c) => c.create(pod),
    'PUT {"fieldManager":"tester"}': (c) => c.update(pod, {}),
    'DELETE {}': (c) => c.delete(bare, {}),
  };
  for (const [expected, call] of Object.entries(calls)) {
    const done = call(bench.client);
    const exchange = await bench.server.next();
    assert.equal(`${exchange.method} ${JSON.stringify(exchange.query)}`, expected);
    if (exchange.method === 'DELETE') assert.deepEqual(JSON.parse(exchange.body), deletion);
    answer(exchange);
    await done;
  }
});

test('[CO-03, CO-08] options can be spread into the options of a call, and the last value of each option applies', async () => {
  await using bench = await Bench.start();
  const web = { namespace: 'shop', labels: { tier: 'web' }, fields: { 'spec.nodeName': 'n1' } };
  const done = bench.client.list(Pod, {
    ...web,
    labels: labelSelectorFromObject({ matchLabels: { tier: 'db' } }),
    fields: '',
  });
  const exchange = await bench.server.next();
  assert.deepEqual([exchange.path, exchange.query], [pods, { limit: '500', labelSelector: 'tier=db' }]);
  answer(exchange);
  await done;
});

test('[CO-04] a watch sends the selection of a list, without limit and continue token', async () => {
  await using bench = await Bench.start();
  const selection = { namespace: 'shop', labels: { a: 'b' }, fields: 'spec.nodeName=n1', limit: 3, continue: 'token' };
  const events = bench.client.live.watch(Pod, selection)[Symbol.asyncIterator]();
  const first = events.next();
  const exchange = await bench.server.next();
  const { timeoutSeconds: _, ...query } = exchange.query;
  assert.deepEqual(query, {
    watch: 'true',
    allowWatchBookmarks: 'true',
    labelSelector: 'a=b',
    fieldSelector: 'spec.nodeName=n1',
  });
  exchange.event('ADDED', pod).bookmark('8');
  assert.deepEqual((await first).value, { type: 'added', object: pod });
  exchange.end();
  assert.equal((await events.next()).done, true);
});

test('a watch throws if its connection breaks or its version has expired', async () => {
  await using bench = await Bench.start();
  for (const [end, expected] of [
    [(exchange: Exchange) => exchange.open().cut(), /the connection was lost/],
    [(exchange: Exchange) => exchange.errorEvent(410, 'Expired'), /Expired/],
  ] as const) {
    const first = firstOf(bench.client.live.watch(Pod, { resourceVersion: '1' }));
    const exchange = await bench.server.next();
    assert.equal(exchange.query.resourceVersion, '1');
    end(exchange);
    await assert.rejects(first, expected);
  }
});

test('[CO-05] deleteAll in all namespaces lists the selected objects and deletes each object with the options of the call', async () => {
  await using bench = await Bench.start();
  const done = bench.client.deleteAll(Pod, { labels: { a: 'b' }, gracePeriodSeconds: 3, propagation: 'Orphan' });
  const list = await bench.server.next();
  assert.deepEqual(
    [list.method, list.path, list.query],
    ['GET', '/api/v1/pods', { limit: '500', labelSelector: 'a=b' }],
  );
  list.json(200, { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '9' }, items: [pod] });
  const deleted = await bench.server.next();
  assert.deepEqual([deleted.method, deleted.path, deleted.query], ['DELETE', one, {}]);
  const expected = { ...deletion, gracePeriodSeconds: 3, propagationPolicy: 'Orphan', preconditions: { uid: 'u1' } };
  assert.deepEqual(JSON.parse(deleted.body), expected);
  answer(deleted);
  await done;
});

test('a request is aborted by the signal of the reconcile or of the client, and leaves no abort listeners when it completes', async () => {
  await using bench = await Bench.start();
  const [reconcile, own] = [new AbortController(), new AbortController()];
  const listeners = (): readonly number[] =>
    [reconcile, own].map(({ signal }) => getEventListeners(signal, 'abort').length);
  const client = bench.client.with({ signal: own.signal });
  const get = (): Promise<Pod> =>
    runInScope({ controller: 'tester', owns: [], signal: reconcile.signal }, () => client.live.get(Pod, key));
  const done = get();
  const exchange = await bench.server.next();
  assert.ok(Math.min(...listeners()) > 0);
  answer(exchange);
  await done;
  assert.deepEqual(listeners(), [0, 0]);
  const ended = get();
  await bench.server.next();
  own.abort(new Error('no more'));
  await assert.rejects(ended, /no more/);
});

test('[CL-03] clients with a shared discovery look up each kind once', async () => {
  await using bench = await Bench.start();
  const { kindRefOf } = await import('@kubewright/api/metadata');
  const gadget = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { ...metadata } };
  const first = bench.client.get(kindRefOf(gadget), key);
  const read = await afterDiscovery(bench.server);
  assert.equal(read.path, '/apis/example.com/v1/namespaces/shop/gadgets/web');
  read.json(200, gadget);
  await first;
  const second = bench.another().get(kindRefOf(gadget), key);
  const again = await bench.server.next();
  assert.equal(again.path, '/apis/example.com/v1/namespaces/shop/gadgets/web');
  again.json(200, gadget);
  await second;
});

/** Responds with the fields that the client requires. */
function answer(exchange: Exchange): void {
  const { method, path } = exchange;
  const isNode = path.startsWith('/api/v1/nodes');
  if (path.endsWith('/scale')) exchange.json(200, scale);
  else if (path.endsWith('/eviction')) exchange.json(201, { apiVersion: 'v1', kind: 'Status', status: 'Success' });
  else if (method === 'POST' || /\/(web|n1|status)$/.test(path)) exchange.json(200, isNode ? node : pod);
  else {
    const kind = isNode ? 'NodeList' : 'PodList';
    exchange.json(200, { kind, apiVersion: 'v1', metadata: { resourceVersion: '8' }, items: [] });
  }
}

/** Responds to discovery requests, and returns the first request that is not a discovery request. */
async function afterDiscovery(server: ScriptedServer): Promise<Exchange> {
  for (;;) {
    const exchange = await server.next();
    if (exchange.path.endsWith('/gadgets/web')) return exchange;
    if (exchange.path === '/apis/example.com/v1') {
      exchange.json(200, {
        kind: 'APIResourceList',
        resources: [{ name: 'gadgets', kind: 'Gadget', namespaced: true }],
      });
    } else exchange.status(404, 'NotFound');
  }
}

async function firstOf<T>(values: AsyncIterable<T>): Promise<T> {
  for await (const value of values) return value;
  throw new Error('nothing was found');
}

/** A client with live reads, and the server that receives its requests. */
class Bench implements AsyncDisposable {
  readonly server: ScriptedServer;
  readonly client: Client;
  readonly #transport: Transport;
  readonly #discovery: Discovery;

  private constructor(server: ScriptedServer) {
    this.server = server;
    this.#transport = new Transport({ server: server.url });
    this.#discovery = new Discovery(this.#transport);
    this.client = this.another();
  }
  static async start(): Promise<Bench> {
    return new Bench(await ScriptedServer.start());
  }
  /** Creates another client that uses the same discovery. */
  another(): Client {
    return new CachedClient({
      backend: { transport: this.#transport, discovery: this.#discovery },
      clock: new SystemClock(),
      logger: new RecordingLogger(),
      fieldManager: 'tester',
      reads: 'live',
      kinds: [ConfigMap],
    });
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport.close();
    await this.server.close();
  }
}
