import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { ApiServer } from '../server/api-server.js';
import { type Json, RawClient } from '../server/raw-client.test.support.js';
import { ConversionWebhook, response } from './conversion-webhook.test.support.js';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const v1 = '/apis/example.com/v1/namespaces/default/widgets';
const v2 = '/apis/example.com/v2/namespaces/default/widgets';
const lead = 'conversion webhook for example.com/v1, Kind=Widget';

interface Setting {
  readonly client: RawClient;
  readonly webhook: ConversionWebhook;
  readonly server: ApiServer;
}

async function start(context: TestContext, conversion: Record<string, unknown> = {}): Promise<Setting> {
  const server = await ApiServer.start();
  const webhook = await ConversionWebhook.start();
  context.after(async () => {
    await server.stop();
    await webhook[Symbol.asyncDispose]();
  });
  const client = new RawClient(server);
  const created = await client.post(crds, webhook.definition('v1', conversion));
  assert.equal(created.status, 201, created.text);
  return { client, webhook, server };
}

function requestOf(review: Record<string, unknown> | undefined): Record<string, unknown> {
  assert(review !== undefined);
  return review['request'] as Record<string, unknown>;
}

const widget = (name: string, size = 1, version: 'v1' | 'v2' = 'v1'): object => ({
  apiVersion: `example.com/${version}`,
  kind: 'Widget',
  metadata: { name },
  spec: version === 'v1' ? { size } : { box: { size } },
});

async function ok(
  answer: Promise<{ readonly status: number; readonly text: string; readonly body: Json }>,
): Promise<Json> {
  const { status, text, body } = await answer;
  assert(status < 300, text);
  return body;
}

test('converts an object for a read in another version, and applies the defaults of the stored version', async (context) => {
  const { client, webhook } = await start(context);
  await ok(client.post(v1, widget('a', 7)));
  assert.deepEqual(webhook.requests, []);
  const { apiVersion, kind, metadata, spec } = await ok(client.get(`${v2}/a`));
  assert.deepEqual(
    { apiVersion, kind, spec },
    {
      apiVersion: 'example.com/v2',
      kind: 'Widget',
      spec: { box: { size: 7, unit: 'cm' }, note: 'size 7' },
    },
  );
  assert.deepEqual(metadata['labels'], { from: 'v1' });
  const [review] = webhook.reviews;
  const { uid, objects, ...request } = requestOf(review);
  assert.match(String(uid), /^[0-9a-f-]{36}$/);
  assert.deepEqual(request, { desiredAPIVersion: 'example.com/v2' });
  const [sent] = objects as readonly Json[];
  assert.deepEqual(sent?.['spec'], { size: 7, unit: 'cm' });
  assert.equal(sent.metadata.resourceVersion, undefined);
  assert.equal(sent.metadata['uid'], metadata['uid']);
  assert.deepEqual(review?.['response'], { uid: '', convertedObjects: null, result: { metadata: {} } });
});

test('converts the objects of a list with one call, and reuses the converted objects for the next list', async (context) => {
  const { client, webhook } = await start(context);
  for (const name of ['a', 'b', 'c']) await ok(client.post(v1, widget(name)));
  const list = await ok(client.get(v2));
  assert.deepEqual(
    list.items.map(({ apiVersion, metadata }) => `${String(apiVersion)} ${metadata.name}`),
    ['example.com/v2 a', 'example.com/v2 b', 'example.com/v2 c'],
  );
  assert.deepEqual(webhook.requests, ['v2: a,b,c']);
  await ok(client.get(v2));
  assert.equal(webhook.reviews.length, 1);
  await ok(client.get(`${v2}/a`));
  assert.deepEqual(webhook.requests, ['v2: a,b,c', 'v2: a']);
});

test('converts only the objects of the requested page, and evaluates selectors on converted objects', async (context) => {
  const { client, webhook } = await start(context);
  for (const [at, name] of ['a', 'b', 'c'].entries()) await ok(client.post(v1, widget(name, at)));
  const page = await ok(client.get(`${v2}?limit=2`));
  assert.equal(page.items.length, 2);
  assert.deepEqual(webhook.requests, ['v2: a,b']);
  const selected = await ok(client.get(`${v2}?fieldSelector=spec.note%3Dsize%202&labelSelector=from%3Dv1`));
  assert.deepEqual(
    selected.items.map(({ metadata }) => metadata.name),
    ['c'],
  );
  const table = await client.get(v2, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
  assert.deepEqual(
    table.body.rows.map(({ cells }) => cells[0]),
    ['a', 'b', 'c'],
  );
});

test('does not call the webhook for an empty list or for objects that are stored in the requested version', async (context) => {
  const { client, webhook } = await start(context);
  assert.deepEqual((await ok(client.get(v2))).items, []);
  await ok(client.post(v1, widget('a')));
  await ok(client.get(v1));
  assert.deepEqual(webhook.requests, []);
});

test('converts a created object to the stored version and back', async (context) => {
  const { client, webhook, server } = await start(context);
  const created = await ok(client.post(v2, widget('a', 3, 'v2')));
  assert.equal(created['apiVersion'], 'example.com/v2');
  assert.deepEqual(created['spec'], { box: { size: 3, unit: 'cm' }, note: 'size 3' });
  assert.deepEqual(webhook.requests, ['v1: a', 'v2: a']);
  const stored = server.store.get('example.com/widgets', { namespace: 'default', name: 'a' });
  assert.equal(stored?.apiVersion, 'example.com/v1');
  assert.deepEqual(stored['spec'], { size: 3 });
  assert.deepEqual(stored.metadata.labels, { from: 'v2' });
});

test('a dry run converts an object as a write does, and writes nothing', async (context) => {
  const { client, webhook } = await start(context);
  const created = await ok(client.post(`${v2}?dryRun=All`, widget('a', 3, 'v2')));
  assert.deepEqual(created['spec'], { box: { size: 3, unit: 'cm' }, note: 'size 3' });
  assert.deepEqual(webhook.requests, ['v1: a', 'v2: a']);
  assert.equal((await client.get(`${v1}/a`)).status, 404);
});

test('updates, patches and deletes objects that are stored in another version', async (context) => {
  const { client, server } = await start(context);
  await ok(client.post(v1, widget('a', 1)));
  const live = await ok(client.get(`${v2}/a`));
  const updated = await ok(client.send('PUT', `${v2}/a`, { body: { ...live, spec: { box: { size: 2 } } } }));
  assert.deepEqual(updated['spec'], { box: { size: 2, unit: 'cm' }, note: 'size 2' });
  assert.equal(updated.metadata['generation'], 2);
  const patch = { body: { spec: { box: { size: 3 } } }, headers: { 'content-type': 'application/merge-patch+json' } };
  const patched = await ok(client.send('PATCH', `${v2}/a`, patch));
  assert.deepEqual(patched['spec'], { box: { size: 3, unit: 'cm' }, note: 'size 3' });
  assert.equal((await ok(client.get(`${v1}/a`)))['apiVersion'], 'example.com/v1');
  const status = { body: { status: { size: 9 } }, headers: { 'content-type': 'application/merge-patch+json' } };
  assert.deepEqual((await ok(client.send('PATCH', `${v2}/a/status`, status)))['status'], { size: 9 });
  const scale = await ok(client.get(`${v2}/a/scale`));
  assert.deepEqual(scale['spec'], { replicas: 3 });
  await ok(client.send('PATCH', `${v2}/a/scale`, { ...patch, body: { spec: { replicas: 5 } } }));
  assert.deepEqual((await ok(client.get(`${v1}/a`)))['spec'], { size: 5, unit: 'cm' });
  await ok(client.send('DELETE', `${v2}/a`));
  assert.equal(server.store.list('example.com/widgets').length, 0);
});

test('server-side apply reports conflicts with a manager that has applied another version', async (context) => {
  const { client } = await start(context);
  const apply = (path: string, manager: string, body: object) =>
    client.send('PATCH', `${path}/a?fieldManager=${manager}`, {
      body,
      headers: { 'content-type': 'application/apply-patch+yaml' },
    });
  await ok(apply(v1, 'one', widget('a', 1)));
  const conflict = await apply(v2, 'two', widget('a', 2, 'v2'));
  assert.equal(conflict.status, 409, conflict.text);
  assert.deepEqual(
    conflict.body.details.causes.map(({ field }) => field),
    ['.spec.size'],
  );
  const same = await ok(apply(v2, 'two', widget('a', 1, 'v2')));
  const managers = same.metadata['managedFields'] as readonly Record<string, unknown>[];
  assert.deepEqual(managers.map(({ manager, apiVersion }) => `${String(manager)} ${String(apiVersion)}`).toSorted(), [
    'one example.com/v1',
    'two example.com/v2',
  ]);
});

test('reports the errors of the webhook with the messages of kube-apiserver', async (context) => {
  const { client, webhook } = await start(context);
  await ok(client.post(v1, widget('a')));
  const convertedWith = (change: (object: Json) => unknown) => (review: Record<string, unknown>) => {
    const { objects } = review['request'] as { readonly objects: readonly Json[] };
    const convertedObjects = objects.map((object) => change({ ...object, apiVersion: 'example.com/v2' }));
    return response(review, { convertedObjects, result: { status: 'Success' } });
  };
  const renamed = (metadata: object) =>
    convertedWith((object) => ({ ...object, metadata: { ...object.metadata, ...metadata } }));
  const answers: readonly (readonly [ConversionWebhook['answer'], string])[] = [
    [(review) => response(review, { result: { status: 'Failure', message: 'not today' } }), 'failed: not today'],
    [(review) => response(review, { result: {} }), "failed: response.result.status was '', not 'Success'"],
    [
      (review) => ({ ...response(review, {}), response: { uid: 'other' } }),
      'failed: expected response.uid="UID", got "other"',
    ],
    [() => ({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' }), 'failed: no response provided'],
    [
      (review) => ({ ...response(review, {}), kind: undefined }),
      'failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got apiextensions.k8s.io/v1, Kind=',
    ],
    [
      (review) => response(review, { convertedObjects: [], result: { status: 'Success' } }),
      'returned 0 objects, expected 1',
    ],
    [
      convertedWith((object) => ({ ...object, apiVersion: 'example.com/v1' })),
      'returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)',
    ],
    [
      convertedWith((object) => ({ ...object, kind: 'Gadget' })),
      'returned invalid object at index 0: invalid kind (expected Widget, received Gadget)',
    ],
    [renamed({ name: 'b' }), 'returned invalid object: must have the same name: a != b'],
    [renamed({ namespace: 'b' }), 'returned invalid object: must have the same namespace: default != b'],
    [
      renamed({ labels: [] }),
      'returned invalid metadata: invalid metadata.labels of type []interface {} in converted object',
    ],
    [
      renamed({ labels: { a: 1 } }),
      'returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object',
    ],
  ];
  for (const [answer, text] of answers) {
    webhook.answer = answer;
    const { status, body } = await client.get(`${v2}/a`);
    assert.equal(status, 500);
    const uid = String(requestOf(webhook.reviews.at(-1))['uid']);
    assert.equal(body['message'], `${lead} ${text.replace('UID', uid)}`);
    assert.equal(body['reason'], undefined);
  }
});

test('restores the metadata of a converted object except labels and annotations, and prunes the object', async (context) => {
  const { client, webhook } = await start(context);
  const created = await ok(client.post(v1, widget('a')));
  webhook.answer = (review) => {
    const { objects } = review['request'] as { readonly objects: readonly Json[] };
    const convertedObjects = objects.map(({ metadata: { name, uid, namespace } }) => ({
      apiVersion: 'example.com/v2',
      kind: 'Widget',
      metadata: { name, uid, namespace, annotations: { a: 'b' }, generation: 99, finalizers: ['x/y'] },
      spec: { box: { size: null }, unknown: 1 },
      other: true,
    }));
    return response(review, { convertedObjects, result: { status: 'Success' } });
  };
  const { labels: _, ...kept } = created.metadata as Record<string, unknown>;
  const { apiVersion: __, kind: ___, ...read } = await ok(client.get(`${v2}/a`));
  assert.deepEqual(read, { metadata: { ...kept, annotations: { a: 'b' } }, spec: { box: {} } });
});

test('converts the objects of a list one by one if the webhook refuses to convert them together', async (context) => {
  const { client, webhook } = await start(context);
  for (const name of ['a', 'b', 'c']) await ok(client.post(v1, widget(name)));
  webhook.answer = (review) => {
    const { objects } = review['request'] as { readonly objects: readonly Json[] };
    const bad = objects.find(({ metadata }) => metadata.name === 'b');
    if (bad === undefined) return undefined;
    return response(review, { result: { status: 'Failure', message: `cannot convert ${bad.metadata.name}` } });
  };
  const { status, body } = await client.get(v2);
  assert.equal(status, 500);
  assert.equal(body['message'], `${lead} failed: cannot convert b`);
  assert.deepEqual(webhook.requests, ['v2: a,b,c', 'v2: a', 'v2: b', 'v2: c']);
});

test('lists objects that are stored in different versions after a change of the storage version', async (context) => {
  const { client, webhook } = await start(context);
  await ok(client.post(v1, widget('a', 1)));
  const definition = await ok(client.get(`${crds}/widgets.example.com`));
  const changed = webhook.definition('v2') as Json;
  const crd = await ok(
    client.send('PUT', `${crds}/widgets.example.com`, { body: { ...definition, spec: changed['spec'] } }),
  );
  assert.deepEqual((crd['status'] as { storedVersions?: unknown }).storedVersions, ['v1', 'v2']);
  await ok(client.post(v2, widget('b', 2, 'v2')));
  webhook.reviews.length = 0;
  const list = await ok(client.get(v1));
  assert.deepEqual(
    list.items.map(({ spec }) => (spec as { size: number }).size),
    [1, 2],
  );
  assert.deepEqual(webhook.requests, ['v1: b']);
  await ok(client.send('PUT', `${v1}/a`, { body: list.items[0] }));
  webhook.reviews.length = 0;
  await ok(client.get(v2));
  assert.deepEqual(webhook.requests, []);
});

test('a watch sends converted objects in order, and ends with an error if the webhook fails', async (context) => {
  const { client, webhook } = await start(context);
  await ok(client.post(v1, widget('a', 1)));
  const events: string[] = [];
  for await (const { type, object } of client.watch(`${v2}?watch=1&labelSelector=from%3Dv1`)) {
    events.push(`${type} ${String(object['apiVersion'] ?? '')} ${object.metadata.name ?? String(object['message'])}`);
    if (type === 'ERROR') assert.equal(object['reason'], 'InternalError');
    if (events.length === 1) {
      await ok(client.post(v1, widget('b')));
      await ok(client.send('DELETE', `${v1}/a`));
    }
    if (events.length === 3) {
      webhook.answer = (review) => response(review, { result: { status: 'Failure', message: 'broken' } });
      await ok(client.post(v1, widget('c')));
    }
  }
  assert.deepEqual(events, [
    'ADDED example.com/v2 a',
    'ADDED example.com/v2 b',
    'DELETED example.com/v2 a',
    `ERROR v1 ${lead} failed: broken`,
  ]);
});

test('a conversion webhook can read and create objects while a list or a write waits for the webhook', async (context) => {
  const { client, webhook } = await start(context);
  await ok(client.post(v1, widget('a')));
  const seen: unknown[] = [];
  webhook.answer = async () => {
    seen.push((await ok(client.get(v1))).items.length);
    await ok(client.post('/api/v1/namespaces/default/configmaps', { metadata: { generateName: 'seen-' } }));
    return undefined;
  };
  assert.equal((await ok(client.get(v2))).items.length, 1);
  await ok(client.post(v2, widget('b', 1, 'v2')));
  assert.deepEqual(seen, [1, 1, 2]);
});

test('an update starts again if another request changes the object while the webhook converts the object', async (context) => {
  const { client, webhook } = await start(context);
  await ok(client.post(v1, widget('a', 1)));
  const merge = { 'content-type': 'application/merge-patch+json' };
  let isFirst = true;
  webhook.answer = async (review) => {
    const { desiredAPIVersion } = review['request'] as { readonly desiredAPIVersion: string };
    if (desiredAPIVersion !== 'example.com/v1' || !isFirst) return undefined;
    isFirst = false;
    await ok(client.send('PATCH', `${v1}/a`, { body: { metadata: { annotations: { other: 'x' } } }, headers: merge }));
    return undefined;
  };
  const patched = await ok(client.send('PATCH', `${v2}/a`, { body: { spec: { box: { size: 4 } } }, headers: merge }));
  assert.deepEqual(patched.metadata['annotations'], { other: 'x' });
  assert.deepEqual(patched['spec'], { box: { size: 4, unit: 'cm' }, note: 'size 4' });
});

test('uses the first known review version, and does not check the uid of a v1beta1 response', async (context) => {
  const { client, webhook } = await start(context, { conversionReviewVersions: ['v9', 'v1beta1', 'v1'] });
  await ok(client.post(v1, widget('a')));
  webhook.answer = (review) => {
    const { objects } = review['request'] as { readonly objects: readonly Json[] };
    const convertedObjects = objects.map((object) => ({ ...object, apiVersion: 'example.com/v2', spec: {} }));
    return { response: { convertedObjects, result: { status: 'Success' } } };
  };
  await ok(client.get(`${v2}/a`));
  assert.equal(webhook.reviews[0]?.['apiVersion'], 'apiextensions.k8s.io/v1beta1');
});

test('deletes a namespace and collects garbage while the webhook is broken', async (context) => {
  const { client, webhook, server } = await start(context);
  await ok(client.post('/api/v1/namespaces', { metadata: { name: 'apart' } }));
  const apart = '/apis/example.com/v1/namespaces/apart/widgets';
  const owner = await ok(client.post(apart, { ...widget('owner'), metadata: { name: 'owner' } }));
  const { uid } = owner.metadata;
  const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'owner', uid }];
  await ok(client.post(apart, { ...widget('dependent'), metadata: { name: 'dependent', ownerReferences } }));
  const definition = await ok(client.get(`${crds}/widgets.example.com`));
  const changed = webhook.definition('v2') as Json;
  await ok(client.send('PUT', `${crds}/widgets.example.com`, { body: { ...definition, spec: changed['spec'] } }));
  webhook.answer = (review) => response(review, { result: { status: 'Failure' } });
  const isEmpty = (): boolean => server.store.list('example.com/widgets').length === 0;
  const emptied = new Promise<void>((resolve) => {
    const stop = server.onActivity(() => {
      if (!isEmpty()) return;
      stop();
      resolve();
    });
  });
  await ok(client.send('DELETE', `${apart}/owner`));
  await ok(client.send('DELETE', '/api/v1/namespaces/apart'));
  await emptied;
});
