import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { ApiServer } from '../../server/api-server.js';
import { SteppedClock } from '../../server/cluster.test.support.js';
import { configMap, RawClient, type RawEvent } from '../../server/raw-client.test.support.js';

const path = '/api/v1/namespaces/default/configmaps';
const streaming = `${path}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;
const shown = ({ type, object }: RawEvent): string => `${type} ${object.metadata?.name ?? object['reason']}`;
const isInitialEnd = ({ type, object }: RawEvent): boolean =>
  type === 'BOOKMARK' && JSON.stringify(object.metadata).includes('k8s.io/initial-events-end');

test('a streaming list sends the existing objects, then a bookmark, and then changes', async () => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  await client.post(path, configMap('a'));
  const watch = client.watch(streaming);
  const events: string[] = [];
  for await (const event of watch) {
    if (isInitialEnd(event)) {
      assert.equal(event.object.metadata.resourceVersion, server.resourceVersion);
      await client.post(path, configMap('b'));
    }
    events.push(shown(event));
    if (event.object.metadata.name === 'b') break;
  }
  assert.deepEqual(
    events.filter((event) => !event.includes('kube-root-ca')),
    ['ADDED a', 'BOOKMARK undefined', 'ADDED b'],
  );
});

test('a watch from a version sends every later event once and in order', async () => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  const { resourceVersion } = (await client.post(path, configMap('a'))).body.metadata;
  await client.post(path, configMap('b'));
  await client.send('PATCH', `${path}/a`, {
    body: { data: { k: 'v' } },
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  await client.send('DELETE', `${path}/b`);
  const events = await client.eventsUntil(
    `${path}?watch=1&resourceVersion=${resourceVersion}`,
    (_event, index) => index === 2,
  );
  assert.deepEqual(events.map(shown), ['ADDED b', 'MODIFIED a', 'DELETED b']);
  assert.equal(events[2]?.object.metadata.resourceVersion, server.resourceVersion);
});

test('an object that starts to match the selector is ADDED, and an object that stops matching is DELETED', async () => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  const { resourceVersion } = (await client.post(path, configMap('a'))).body.metadata;
  const label = (value: string | null): Promise<unknown> =>
    client.send('PATCH', `${path}/a`, {
      body: { metadata: { labels: { tier: value } } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
  await label('web');
  await label('db');
  const selected = `${path}?watch=1&labelSelector=tier%3Dweb&resourceVersion=${resourceVersion}`;
  const events = await client.eventsUntil(selected, (_event, index) => index === 1);
  assert.deepEqual(events.map(shown), ['ADDED a', 'DELETED a']);
  assert.deepEqual(events[1]?.object.metadata['labels'], { tier: 'web' });
  assert.equal(events[1]?.object.metadata.resourceVersion, server.resourceVersion);
});

test('a watch from a compacted version gets an ERROR event with 410 Expired', async () => {
  await using server = await ApiServer.start({ eventLogSize: 2 });
  const client = new RawClient(server);
  for (const name of ['a', 'b', 'c', 'd']) await client.post(path, configMap(name));
  const [event] = await client.eventsUntil(`${path}?watch=1&resourceVersion=2`, () => true);
  assert.equal(event?.type, 'ERROR');
  assert.equal(event.object['code'], 410);
  assert.equal(event.object['reason'], 'Expired');
  assert.match(String(event.object['message']), /^too old resource version: 2 \(\d+\)$/);
});

test('a bookmark contains the version of writes to other resources', async () => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  let written: string | undefined;
  for await (const event of client.watch(streaming)) {
    const { resourceVersion } = event.object.metadata;
    if (isInitialEnd(event)) {
      written = (await client.post('/api/v1/namespaces', { metadata: { name: 'other' } })).body.metadata
        .resourceVersion;
      server.sendBookmarks();
    } else if (event.type === 'BOOKMARK') {
      // Controllers continue to write to the new namespace in the meantime.
      assert.ok(Number(resourceVersion) >= Number(written), `${resourceVersion} is not behind ${written}`);
      break;
    }
  }
});

test('a watch without changes sends a bookmark each minute', async () => {
  const clock = new SteppedClock();
  await using server = await ApiServer.start({ clock });
  const client = new RawClient(server);
  const versions: string[] = [];
  for await (const event of client.watch(`${streaming}&fieldSelector=metadata.name%3Dnobody`)) {
    assert.equal(event.type, 'BOOKMARK');
    versions.push(event.object.metadata.resourceVersion);
    if (versions.length === 3) break;
    // The client knows this version, so only the time causes a bookmark.
    server.sendBookmarks();
    clock.advance(60_000);
  }
  assert.equal(new Set(versions).size, 1, versions.join(' '));
});

test('a watch ends after timeoutSeconds', async () => {
  await using server = await ApiServer.start();
  const events = await new RawClient(server).eventsUntil(
    `${path}?watch=1&timeoutSeconds=1&resourceVersion=${server.resourceVersion}&fieldSelector=metadata.name%3Dnobody`,
    () => false,
  );
  assert.deepEqual(events, []);
});

test('a table watch sends the columns and one row per event', async () => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  await client.post(path, configMap('a', { k: 'v' }));
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
  for await (const { type, object } of client.watch(`${path}?watch=1&fieldSelector=metadata.name%3Da`, { accept })) {
    assert.equal(type, 'ADDED');
    assert.equal(object['kind'], 'Table');
    assert.deepEqual(object.rows[0]?.cells.slice(0, 2), ['a', 1]);
    assert.equal(object.rows[0]?.object['kind'], 'PartialObjectMetadata');
    break;
  }
});

test('the age in a watched table is computed when the row is sent', async () => {
  let aheadMs = 0;
  const clock = new (class extends SystemClock {
    override now(): Date {
      return new Date(super.now().getTime() + aheadMs);
    }
  })();
  await using server = await ApiServer.start({ clock });
  const client = new RawClient(server);
  const { resourceVersion } = (await client.post(path, configMap('a'))).body.metadata;
  await client.post(path, configMap('b'));
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
  const ages: unknown[] = [];
  for await (const { object } of client.watch(`${path}?watch=1&resourceVersion=${resourceVersion}`, { accept })) {
    ages.push(object.rows[0]?.cells[2]);
    if (ages.length === 2) break;
    aheadMs = 3_600_000;
    await client.post(path, configMap('c'));
  }
  assert.equal(ages[1], '0s');
});

test('returns 422 for inconsistent watch options before it sends events', async () => {
  await using server = await ApiServer.start();
  const { status, body } = await new RawClient(server).get(`${path}?watch=1&sendInitialEvents=true`);
  assert.equal(status, 422);
  assert.equal(body.details.causes[0]?.['field'], 'resourceVersionMatch');
});
