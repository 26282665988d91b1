import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { systemRandom } from '@kubewright/api/clock';
import type { KubeObject } from '@kubewright/api';
import { dns1123SubdomainErrors } from '@kubewright/api/names';
import { RecordedEvents } from '../test-support/recorded-events.js';
import { ManualClock } from '../test-support/manual-clock.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { CountingSink } from './counting-sink.js';
import { eventName } from './event-name.js';
import { EventPipeline } from './event-pipeline.js';
import type { EventTransport } from './event-transport.js';
import { ReportingEventRecorder } from './reporting-event-recorder.js';
import { SeriesSink } from './series-sink.js';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> & { readonly metadata?: Readonly<Record<string, unknown>> };
}

function setUp(api: 'events.k8s.io/v1' | 'v1' = 'events.k8s.io/v1', reportingController = 'machine') {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const sent: Sent[] = [];
  const transport: EventTransport = {
    request: async (options) => {
      sent.push(options as Sent);
      return undefined as never;
    },
  };
  const isSeries = api !== 'v1';
  const sink = isSeries ? new SeriesSink(async () => transport) : new CountingSink(async () => transport);
  const pipeline = new EventPipeline({ sink, counting: isSeries ? 'series' : 'each', clock, logger });
  const recorder = new ReportingEventRecorder({ pipelines: [pipeline], clock, logger, reportingController });
  return { clock, logger, sent, recorder };
}
function machine(name: string, namespace?: string): KubeObject {
  const metadata = {
    name,
    uid: `uid-${name}`,
    resourceVersion: '7',
    creationTimestamp: '',
    ...(namespace && { namespace }),
  };
  return { apiVersion: 'test.dev/v1', kind: 'Machine', metadata };
}
const reference = (name: string) => ({ apiVersion: 'test.dev/v1', kind: 'Machine', name, uid: `uid-${name}` });

test('[CG-140] an event of events.k8s.io contains the object, the reason, the action and the reporting component', async () => {
  const { recorder, sent } = setUp();
  recorder.warning(machine('a', 'apps'), 'Failed', 'no disk', {
    action: 'Attaching',
    related: machine('b'),
    fieldPath: 'spec.disks{root}',
    annotations: { team: 'a' },
  });
  await settle();
  const { metadata, ...rest } = sent[0]?.body ?? {};
  assert.equal(sent[0]?.path, '/apis/events.k8s.io/v1/namespaces/apps/events');
  assert.match(String(metadata?.['name']), /^a\.[0-9a-f]{16}$/);
  assert.deepEqual({ ...metadata, name: '' }, { name: '', namespace: 'apps', annotations: { team: 'a' } });
  assert.deepEqual(rest, {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    eventTime: '2030-01-01T00:00:00.000000Z',
    reportingController: 'machine',
    reportingInstance: `machine-${hostname()}`.slice(0, 128),
    type: 'Warning',
    reason: 'Failed',
    action: 'Attaching',
    note: 'no disk',
    regarding: { ...reference('a'), namespace: 'apps', fieldPath: 'spec.disks{root}' },
    related: reference('b'),
  });
});

test('[CG-140] an event of the core API contains the same data in other fields, and its count after each repetition', async () => {
  const { recorder, sent, clock } = setUp('v1');
  recorder.normal(machine('a', 'apps'), 'Started', 'the machine runs');
  await settle();
  clock.advance(1500);
  recorder.normal(machine('a', 'apps'), 'Started', 'the machine runs');
  await settle();
  const { metadata, ...rest } = sent[0]?.body ?? {};
  assert.equal(sent[0]?.path, '/api/v1/namespaces/apps/events');
  assert.deepEqual(rest, {
    apiVersion: 'v1',
    kind: 'Event',
    involvedObject: { ...reference('a'), namespace: 'apps' },
    type: 'Normal',
    reason: 'Started',
    action: 'Started',
    message: 'the machine runs',
    source: { component: 'machine', host: hostname() },
    reportingComponent: 'machine',
    reportingInstance: `machine-${hostname()}`,
    firstTimestamp: '2030-01-01T00:00:00Z',
    lastTimestamp: '2030-01-01T00:00:00Z',
    count: 1,
  });
  assert.equal(sent[1]?.method, 'PATCH');
  assert.equal(sent[1]?.path, `/api/v1/namespaces/apps/events/${String(metadata?.['name'])}`);
  const repeated = { count: 2, lastTimestamp: '2030-01-01T00:00:01Z', message: 'the machine runs' };
  assert.deepEqual(sent[1]?.body, repeated);
});

for (const api of ['events.k8s.io/v1', 'v1'] as const) {
  test(`[CG-140] creates events of ${api} about cluster-scoped objects in namespace 'default'`, async () => {
    const { recorder, sent } = setUp(api);
    recorder.normal(machine('a'), 'Started', 'runs');
    await settle();
    assert.match(sent[0]?.path ?? '', /\/namespaces\/default\/events$/);
    assert.equal(sent[0]?.body.metadata?.['namespace'], 'default');
  });
}

test('[CG-150] the name of an event is the name of the object with a suffix, or a UUID if this is not a valid name', () => {
  assert.match(eventName('web', systemRandom), /^web\.[0-9a-f]{16}$/);
  assert.match(eventName('web.example', systemRandom), /^web\.example\.[0-9a-f]{16}$/);
  for (const object of ['system:node', 'UPPER', 'a_b', 'a..b', '-a', '', `${'x'.repeat(63)}.`.repeat(4)]) {
    const name = eventName(object, systemRandom);
    assert.deepEqual(dns1123SubdomainErrors(name), [], object);
    assert.match(name, /^[0-9a-f-]{36}$/, object);
  }
  assert.notEqual(eventName('web', systemRandom), eventName('web', systemRandom));
});

test('shortens values that exceed the limits of the server, without cutting characters', async () => {
  const { recorder, sent } = setUp('events.k8s.io/v1', 'c'.repeat(63));
  recorder.normal(machine('a'), 'R'.repeat(200), 'é'.repeat(1000), { action: 'A'.repeat(200) });
  await settle();
  const { reason, action, note, reportingInstance } = sent[0]?.body ?? {};
  assert.equal(reason, 'R'.repeat(128));
  assert.equal(action, 'A'.repeat(128));
  assert.equal(note, 'é'.repeat(512));
  assert.ok(String(reportingInstance).length <= 128);
});

test('ignores an invalid event and logs a warning', async () => {
  const { recorder, sent, logger } = setUp();
  recorder.normal({ metadata: { name: 'a' } } as KubeObject, 'Started', 'runs');
  recorder.normal({} as KubeObject, 'Started', 'runs');
  recorder.normal(machine('a'), '', 'runs');
  await settle();
  assert.deepEqual(sent, []);
  assert.deepEqual(
    logger.lines.map(({ level, message }) => [level, message.split(': ')[1]]),
    [
      ['warn', 'it needs an object with apiVersion, kind and name'],
      ['warn', 'it needs an object with apiVersion, kind and name'],
      ['warn', 'it needs a reason'],
    ],
  );
});

test('an event does not contain secrets', async () => {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const sink = new RecordedEvents();
  const pipelines = [new EventPipeline({ sink, counting: 'series', clock, logger })];
  const recorder = new ReportingEventRecorder({ pipelines, clock, logger, reportingController: 'machine' });
  const secret = { ...machine('a', 'apps'), kind: 'Secret', data: { password: 'aHVudGVyMg==' } };
  recorder.warning(secret, 'Refused', 'sent Authorization: Bearer abcdefghijkl', {
    annotations: { 'example.dev/token': 'hunter2', team: 'a' },
    related: secret,
  });
  await settle();
  const text = JSON.stringify(sink.writes);
  for (const value of ['aHVudGVyMg==', 'abcdefghijkl', 'hunter2']) assert.ok(!text.includes(value), value);
  assert.match(sink.writes[0]?.event.note ?? '', /Bearer \*\*\*/);
  assert.equal(sink.writes[0]?.event.annotations?.['team'], 'a');
});
