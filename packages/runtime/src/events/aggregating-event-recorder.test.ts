import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { ManualClock } from '../test-support/manual-clock.js';
import { refusal } from '../test-support/object-table.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { AggregatingEventRecorder } from './aggregating-event-recorder.js';
import { EventSender } from './event-sender.js';
import type { EventTransport } from './event-object.js';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: { readonly note?: string; readonly series?: { readonly count: number }; readonly metadata?: unknown };
}

function setUp(answer: (sent: Sent, nth: number) => void = () => undefined) {
  const clock = new ManualClock();
  const sent: Sent[] = [];
  const transport: EventTransport = {
    request: async (options) => {
      sent.push(options as Sent);
      answer(options as Sent, sent.length);
      return undefined as never;
    },
  };
  const sender = new EventSender({ transport: async () => transport, clock, logger: new RecordingLogger() });
  const recorder = new AggregatingEventRecorder({ sender, clock, reportingController: 'machine' });
  return { clock, sent, sender, recorder };
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function machine(name: string, resourceVersion: string, namespace?: string): KubeObject {
  const metadata = {
    name,
    uid: `uid-${name}`,
    resourceVersion,
    creationTimestamp: '',
    ...(namespace && { namespace }),
  };
  return { apiVersion: 'test.dev/v1', kind: 'Machine', metadata };
}

test('an event says what happened to which object, and stands in its namespace', async () => {
  const { recorder, sent } = setUp();
  recorder.normal(machine('a', '1', 'apps'), 'Started', 'the machine runs');
  recorder.warning(machine('b', '1'), 'Failed', 'no disk');
  await settle();
  const { metadata: _name, ...body } = sent[0]?.body ?? {};
  assert.equal(sent[0]?.path, '/apis/events.k8s.io/v1/namespaces/apps/events');
  assert.deepEqual(Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'reportingInstance')), {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    eventTime: '2030-01-01T00:00:00.000000Z',
    reportingController: 'machine',
    type: 'Normal',
    reason: 'Started',
    action: 'Started',
    note: 'the machine runs',
    regarding: { apiVersion: 'test.dev/v1', kind: 'Machine', name: 'a', namespace: 'apps', uid: 'uid-a' },
  });
  assert.equal(sent[1]?.path, '/apis/events.k8s.io/v1/namespaces/default/events', 'cluster-scoped objects');
});

test('equal events become a series, whatever version the object has, and the last count is sent when it is over', async () => {
  const { recorder, sent, clock } = setUp();
  for (let version = 1; version <= 7; version++) {
    recorder.normal(machine('a', String(version), 'apps'), 'Synced', 'synced');
    await settle();
  }
  assert.deepEqual(
    sent.map(({ method, body }) => [method, body.series?.count]),
    [
      ['POST', undefined],
      ['PATCH', 2],
      ['PATCH', 4],
    ],
  );
  clock.advance(360_000);
  await settle();
  assert.equal(sent.at(-1)?.body.series?.count, 7);
});

test('an event that the server no longer has is recorded anew', async () => {
  const { recorder, sent } = setUp(({ method }) => {
    if (method === 'PATCH') throw refusal(404, 'NotFound');
  });
  for (let at = 0; at < 2; at++) {
    recorder.normal(machine('a', '1', 'apps'), 'Synced', 'synced');
    await settle();
  }
  assert.deepEqual(
    sent.map(({ method }) => method),
    ['POST', 'PATCH', 'POST'],
  );
});

test('trouble of the server is waited out, a refusal is not', async () => {
  const { recorder, sent, clock } = setUp((_, nth) => {
    if (nth === 1) throw refusal(503, 'ServiceUnavailable');
    if (nth === 3) throw refusal(403, 'Forbidden');
  });
  recorder.normal(machine('a', '1', 'apps'), 'Synced', 'synced');
  await settle();
  assert.equal(sent.length, 1);
  clock.advance(10_000);
  await settle();
  assert.equal(sent.length, 2);
  recorder.normal(machine('b', '1', 'apps'), 'Synced', 'synced');
  await settle();
  clock.advance(10_000);
  await settle();
  assert.equal(sent.length, 3);
});

test('an object that causes too many different events is silenced, others are not', async () => {
  const { recorder, sent } = setUp();
  for (let at = 0; at < 40; at++) recorder.normal(machine('a', '1', 'apps'), 'Step', `step ${at}`);
  recorder.normal(machine('b', '1', 'apps'), 'Step', 'step');
  await settle();
  await settle();
  assert.equal(sent.length, 26);
});

test('closing sends what waits, and gives up when its time is over', async () => {
  const { recorder, sender, sent } = setUp(() => {
    throw refusal(503, 'ServiceUnavailable');
  });
  recorder.normal(machine('a', '1', 'apps'), 'Synced', 'synced');
  await settle();
  const limit = new AbortController();
  const closed = sender.close(limit.signal);
  limit.abort();
  await closed;
  assert.equal(sent.length, 1);
});
