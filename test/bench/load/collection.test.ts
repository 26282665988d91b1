import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Collection } from './collection.js';
import { changedObject, keyOf, objectOf, UNSENT, UNVERSIONED } from './objects.js';
import { contentOf, field, MAGIC, messageInFrame, varint } from './protobuf.js';

interface Listed {
  readonly metadata: { readonly continue?: string; readonly remainingItemCount?: number };
  readonly items: readonly { readonly kind?: string; readonly metadata: { readonly name: string } }[];
}
const listed = (collection: Collection, from: number, to: number, total: number): Listed =>
  JSON.parse(Buffer.concat([...collection.list({ from, to, total }, 'json')]).toString()) as Listed;
const lines = (
  chunk: Buffer,
): readonly { readonly type: string; readonly object: { readonly metadata: Readonly<Record<string, unknown>> } }[] =>
  chunk
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as never);

test('generated objects have the sizes of the goals, are equal in each run, and have different names', () => {
  for (const [kind, bytes] of [
    ['webservices', 1650],
    ['pods', 8800],
  ] as const) {
    const objects = [0, 7, 999, 99_999].map((index) => JSON.stringify(objectOf(kind, index)));
    for (const text of objects) assert.ok(Math.abs(text.length / bytes - 1) < 0.03, `${kind}: ${text.length}`);
    assert.equal(objects[2], JSON.stringify(objectOf(kind, 999)));
    const names = Array.from({ length: 5000 }, (_, index) => Object.values(keyOf(kind, index)).join('/'));
    assert.equal(new Set(names).size, names.length);
    const changed = JSON.stringify(changedObject(kind, 7));
    assert.ok(changed.includes(`"${UNSENT}"`) && changed.includes(`"${UNVERSIONED}"`));
  }
});

test('a collection lists its objects in pages, and Pods in lists have no kind', async () => {
  for (const kind of ['webservices', 'pods'] as const) {
    const collection = new Collection(kind);
    await collection.prepare(5);
    const page = listed(collection, 0, 2, 5);
    assert.deepEqual([page.metadata.continue, page.metadata.remainingItemCount], ['2', 3]);
    const rest = listed(collection, 2, 5, 5);
    assert.equal(rest.metadata.continue, undefined);
    assert.deepEqual(
      [...page.items, ...rest.items].map(({ metadata }) => metadata.name),
      Array.from({ length: 5 }, (_, index) => keyOf(kind, index).name),
    );
    assert.equal(page.items[0]?.kind, kind === 'pods' ? undefined : 'WebService');
  }
});

test('the initial events of a watch end with a bookmark', async () => {
  const collection = new Collection('pods');
  await collection.prepare(3);
  const chunks: Buffer[] = [];
  for await (const chunk of collection.initialEvents(2, 'json')) chunks.push(chunk);
  const events = lines(Buffer.concat(chunks));
  assert.deepEqual(
    events.map(({ type }) => type),
    ['ADDED', 'ADDED', 'BOOKMARK'],
  );
  assert.deepEqual(events[2]?.object.metadata['annotations'], { 'k8s.io/initial-events-end': 'true' });
});

test('events repeat, and have increasing versions and the time at which they are created', async () => {
  const collection = new Collection('webservices');
  await collection.prepare(20);
  const before = process.hrtime.bigint();
  const [first, second, again] = [0, 1, 2].map(
    (at) => lines(collection.event(at, { among: 2, encoding: 'json' }))[0]?.object.metadata,
  );
  assert.ok(Number(first?.['resourceVersion']) < Number(second?.['resourceVersion']));
  assert.equal(again?.['name'], first?.['name']);
  const { 'example.com/sent-at': sent = '' } = (first?.['annotations'] ?? {}) as Readonly<Record<string, string>>;
  assert.ok(BigInt(sent) >= before && BigInt(sent) <= process.hrtime.bigint());
});

test('a stored object has a new version until prepare is called again', async () => {
  const collection = new Collection('webservices');
  await collection.prepare(1);
  const before = collection.objectBytes(0).toString();
  const [event] = lines(collection.store(0, { ...(JSON.parse(before) as { readonly metadata: object }) }));
  assert.deepEqual(JSON.parse(collection.objectBytes(0).toString()), event?.object);
  assert.notEqual(collection.objectBytes(0).toString(), before);
  await collection.prepare(1);
  assert.equal(collection.objectBytes(0).toString(), before);
});

test('the events of an object contain the changes by requests until prepare is called again', async () => {
  const collection = new Collection('webservices');
  await collection.prepare(2);
  const typesIn = (at: number): readonly string[] => {
    const [event] = lines(collection.event(at, { among: 2, encoding: 'json' }));
    assert.ok(event !== undefined);
    return (event.object as unknown as typeof stored).status.conditions.map(({ type }) => type);
  };
  const stored = JSON.parse(collection.objectBytes(1).toString()) as {
    readonly metadata: object;
    readonly status: { readonly conditions: readonly { readonly type: string }[] };
  };
  for (const type of ['First', 'Second']) {
    const conditions = [...stored.status.conditions, { type }];
    collection.store(1, { ...stored, status: { ...stored.status, conditions } } as typeof stored);
    assert.deepEqual(typesIn(1), ['Ready', type]);
    assert.deepEqual(typesIn(3), ['Ready', type]);
    assert.deepEqual(typesIn(2), ['Ready']);
  }
  await collection.prepare(2);
  assert.deepEqual(typesIn(1), ['Ready']);
});

test('a list in protobuf contains the messages of the frames without their envelopes', async () => {
  const message = field(1, 'a pod');
  const envelope = Buffer.concat([MAGIC, field(1, 'type'), field(2, message)]);
  const event = Buffer.concat([field(1, 'ADDED'), field(2, field(1, envelope))]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  const frame = Buffer.concat([length, event]);
  assert.deepEqual(messageInFrame(frame), message);
  const collection = new Collection('pods', async (frames) => frames.map(() => frame));
  await collection.prepare(3);
  const list = Buffer.concat([...collection.list({ from: 0, to: 2, total: 3 }, 'protobuf')]);
  const body = contentOf(list.subarray(MAGIC.length), 2);
  assert.equal(contentOf(contentOf(body, 1), 3).toString(), '2');
  assert.deepEqual(body.subarray(-message.length), message);
  assert.equal(collection.encodingOf('application/vnd.kubernetes.protobuf, */*'), 'protobuf');
  assert.equal(collection.encodingOf('application/json'), 'json');
  assert.equal(new Collection('pods').encodingOf('application/vnd.kubernetes.protobuf'), 'json');
});

test('varint encodes numbers of any size', () => {
  assert.deepEqual(
    [0, 127, 128, 300, 2 ** 32].map((value) => varint(value).toString('hex')),
    ['00', '7f', '8001', 'ac02', '8080808010'],
  );
});
