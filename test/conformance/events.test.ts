import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { SystemClock } from '@kubewright/api/clock';
import type { ConfigMap, Event as CoreEvent } from '@kubewright/api/core/v1';
import type { Event } from '@kubewright/api/events/v1';
import type { ClusterRole } from '@kubewright/api/rbac/v1';
import { connect, Manager } from '@kubewright/runtime';
import { EventRecorders, Transport } from '@kubewright/runtime/internal';
import { FakeClock, type TestEnvironment } from '@kubewright/testing';
import { quietLogger } from '../leader-election/quiet-logger.js';
import { startEnvironment } from '../server/start-environment.js';

const namespace = 'reported';
let env: TestEnvironment;
let transport: Transport;
let named = 0;

before(async () => {
  env = await startEnvironment();
  transport = new Transport(env.connection, { clock: new SystemClock() });
  await transport.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } });
});
after(async () => {
  await transport.close();
  await env[Symbol.asyncDispose]();
});

async function configMap(): Promise<KubeObject> {
  const body = { metadata: { name: `config-${++named}` } };
  return transport.request<ConfigMap>({ method: 'POST', path: `/api/v1/namespaces/${namespace}/configmaps`, body });
}
async function clusterRole(name: string): Promise<KubeObject> {
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  return transport.request<ClusterRole>({ method: 'POST', path, body: { metadata: { name }, rules: [] } });
}
/** Returns the events of the object, as the core API returns them, as soon as they match `desired`. */
async function reported(
  about: KubeObject,
  desired: (events: readonly CoreEvent[]) => boolean,
): Promise<readonly CoreEvent[]> {
  for (;;) {
    const events = await eventsOf(about);
    if (desired(events)) return events;
  }
}
async function eventsOf({ metadata }: KubeObject): Promise<readonly CoreEvent[]> {
  const { items } = await transport.request<{ items: readonly CoreEvent[] }>({
    method: 'GET',
    path: `/api/v1/namespaces/${metadata.namespace ?? 'default'}/events`,
    query: { fieldSelector: `involvedObject.uid=${metadata.uid}` },
  });
  return items;
}
function recorders(api: 'events.k8s.io/v1' | 'v1', clock = new FakeClock()) {
  return { clock, made: new EventRecorders({ api, transport: async () => transport, clock, logger: quietLogger }) };
}

describe('the event recorder of a manager', () => {
  test('[OT-10, CG-140] the recorder publishes an event to events.k8s.io with an action, a related object, and annotations', async () => {
    const [about, related] = [await configMap(), await configMap()];
    await using manager = new Manager({ connection: env.connection, logger: quietLogger, signals: false });
    manager.events.warning(about, 'Failed', 'no disk', {
      action: 'Attaching',
      related,
      annotations: { 'example.dev/team': 'a' },
    });
    await reported(about, (events) => events.length === 1);
    const { items } = await transport.request<{ items: readonly Event[] }>({
      method: 'GET',
      path: `/apis/events.k8s.io/v1/namespaces/${namespace}/events`,
    });
    const event = items.find(({ regarding }) => regarding?.uid === about.metadata.uid);
    assert.ok(event);
    assert.deepEqual(event.metadata.annotations, { 'example.dev/team': 'a' });
    assert.equal(event.type, 'Warning');
    assert.equal(event.reason, 'Failed');
    assert.equal(event.action, 'Attaching');
    assert.equal(event.note, 'no disk');
    assert.equal(event.reportingController, 'kubewright-manager');
    assert.equal(event.regarding?.kind, 'ConfigMap');
    assert.equal(event.related?.uid, related.metadata.uid);
    assert.equal(event.deprecatedCount, undefined);
  });

  test("[OT-10, CG-140] the recorder publishes an event to the core API if api is 'v1'", async () => {
    const about = await configMap();
    await using manager = new Manager({
      connection: env.connection,
      logger: quietLogger,
      signals: false,
      events: { api: 'v1' },
    });
    manager.events.normal(about, 'Started', 'it runs', { annotations: { 'example.dev/team': 'a' } });
    const [event] = await reported(about, (events) => events.length === 1);
    assert.deepEqual(event?.metadata.annotations, { 'example.dev/team': 'a' });
    assert.equal(event?.count, 1);
    assert.equal(event?.message, 'it runs');
    assert.equal(event?.source?.component, 'kubewright-manager');
    assert.ok(event?.firstTimestamp);
    assert.equal(event?.eventTime ?? undefined, undefined);
  });

  test('[OT-10] the recorder publishes an event that is recorded before the connection closes, and no event that is recorded later', async () => {
    const about = await configMap();
    const cluster = await connect({ connection: env.connection });
    cluster.events.normal(about, 'Last', 'the last');
    await cluster[Symbol.asyncDispose]();
    cluster.events.normal(about, 'After', 'too late');
    assert.deepEqual(
      (await eventsOf(about)).map(({ reason }) => reason),
      ['Last'],
    );
  });

  test('the constructor rejects an unknown events API', () => {
    const events = { api: 'v2' as 'v1' };
    assert.throws(() => new Manager({ connection: env.connection, events }), { code: 'INVALID_EVENT_OPTIONS' });
  });
});

test("[CG-140] the recorder publishes events of cluster-scoped objects in the namespace 'default'", async () => {
  const about = await clusterRole('reported-of');
  for (const api of ['events.k8s.io/v1', 'v1'] as const) {
    const { made } = recorders(api);
    made.of('machine').normal(about, `By${api.replace(/\W/g, '')}`, 'it is there');
    await made.close();
    assert.equal(made.stats().failed, 0);
  }
  const events = await reported(about, ({ length }) => length === 2);
  assert.deepEqual(new Set(events.map(({ metadata }) => metadata.namespace)), new Set(['default']));
});

test('[CG-151] the second occurrence turns an event into a series, and close writes the final count', async () => {
  const about = await configMap();
  const { made } = recorders('events.k8s.io/v1');
  const recorder = made.of('machine');
  recorder.normal(about, 'Synced', 'synced');
  await reported(about, ([event]) => event !== undefined);
  recorder.normal(about, 'Synced', 'synced');
  const [second] = await reported(about, ([event]) => event?.series !== undefined);
  assert.equal(second?.series?.count, 2);
  recorder.normal(about, 'Synced', 'synced');
  await made.close();
  const [last, ...others] = await eventsOf(about);
  assert.equal(last?.series?.count, 3);
  assert.deepEqual(others, []);
});

test('[CG-152, CG-153] the recorder writes the final count of a finished series, and refreshes a continuing series every 30 minutes', async () => {
  const [over, lasting] = [await configMap(), await configMap()];
  const { made, clock } = recorders('events.k8s.io/v1');
  const recorder = made.of('machine');
  const repeat = async (about: KubeObject): Promise<void> => {
    recorder.normal(about, 'Synced', 'synced');
    while (made.stats().waiting > 0) await new Promise((resolve) => setImmediate(resolve));
  };
  for (let at = 0; at < 3; at++) await repeat(over);
  for (let minutes = 0; minutes < 30; minutes += 5) {
    await repeat(lasting);
    await clock.advance('5m');
  }
  const [ended] = await reported(over, ([event]) => event?.series?.count === 3);
  assert.equal(ended?.series?.lastObservedTime, '2026-01-01T00:00:00.000000Z');
  await reported(lasting, ([event]) => event?.series?.count === 6);
  await made.close();
});

test('[CG-147] the core API counts equal events in one event, and combines similar events', async () => {
  const [equal, similar] = [await configMap(), await configMap()];
  const { made, clock } = recorders('v1');
  const recorder = made.of('machine');
  for (let at = 0; at < 3; at++) {
    recorder.normal(equal, 'Synced', 'synced');
    await reported(equal, ([event]) => event?.count === at + 1);
    await clock.advance('10s');
  }
  const [counted] = await eventsOf(equal);
  assert.equal(counted?.firstTimestamp, '2026-01-01T00:00:00Z');
  assert.equal(counted?.lastTimestamp, '2026-01-01T00:00:20Z');
  for (let at = 1; at <= 12; at++) {
    recorder.warning(similar, 'Failed', `disk ${at}`);
    const many = Math.min(at, 10);
    await reported(
      similar,
      (events) => events.length === many && events.some(({ message }) => message?.endsWith(`disk ${at}`)),
    );
  }
  const combined = (await eventsOf(similar)).find(({ message }) => message?.startsWith('(combined'));
  assert.equal(combined?.message, '(combined from similar events): disk 12');
  assert.equal(combined?.count, 3);
  await made.close();
});

for (const api of ['events.k8s.io/v1', 'v1'] as const) {
  test(`[CG-142] with the API ${api}, the recorder recreates a deleted event when the event occurs again`, async () => {
    const about = await configMap();
    const { made } = recorders(api);
    const recorder = made.of('machine');
    recorder.normal(about, 'Synced', 'synced');
    const [event] = await reported(about, ({ length }) => length === 1);
    const path = `/api/v1/namespaces/${namespace}/events/${event?.metadata.name}`;
    await transport.request({ method: 'DELETE', path });
    recorder.normal(about, 'Synced', 'synced');
    const [again] = await reported(about, ({ length }) => length === 1);
    assert.equal(again?.metadata.name, event?.metadata.name);
    assert.equal(again?.series?.count ?? again?.count, 2);
    await made.close();
    assert.equal(made.stats().failed, 0);
  });
}

test('[CG-150] the recorder publishes events of objects whose names are not valid in the name of an event', async () => {
  const about = await clusterRole('reported:of:Colons');
  const { made } = recorders('events.k8s.io/v1');
  made.of('machine').normal(about, 'Synced', 'synced');
  await made.close();
  const [event] = await reported(about, ({ length }) => length === 1);
  assert.match(event?.metadata.name ?? '', /^[0-9a-f-]{36}$/);
});

test('[CG-144, CG-148] the recorder publishes a burst of events, and limits the number of events per object', async () => {
  const [first, second] = [await configMap(), await configMap()];
  const { made } = recorders('events.k8s.io/v1');
  const recorder = made.of('machine');
  for (let at = 0; at < 2000; at++) recorder.normal(first, `Step${at}`, 'step');
  recorder.normal(second, 'Step', 'step');
  await reported(second, ({ length }) => length === 1);
  await reported(first, ({ length }) => length === 25);
  const { recorded, silenced } = made.stats();
  assert.deepEqual([recorded, silenced], [2001, 1975]);
  await made.close();
});

test('[CG-141] the recorder drops an event that the server rejects, and publishes the next event', async () => {
  const about = await configMap();
  const { made } = recorders('events.k8s.io/v1');
  const nowhere = { ...about, metadata: { ...about.metadata, namespace: 'nowhere' } };
  made.of('machine').normal(nowhere, 'Lost', 'its namespace does not exist');
  made.of('machine').normal(about, 'Synced', 'synced');
  await reported(about, ({ length }) => length === 1);
  await made.close();
  const { sent, failed } = made.stats();
  assert.deepEqual([sent, failed], [1, 1]);
});
