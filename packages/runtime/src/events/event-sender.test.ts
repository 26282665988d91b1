import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { RecordedEvents } from '../test-support/recorded-events.js';
import { ManualClock } from '../test-support/manual-clock.js';
import { refusal } from '../test-support/object-table.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import type { CountedEvent } from './counted-event.js';
import { EventSender } from './event-sender.js';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp() {
  const clock = new ManualClock();
  const sink = new RecordedEvents();
  const sender = new EventSender({ sink, clock, logger: new RecordingLogger(), random: () => 0.5 });
  return { clock, sink, sender };
}
function event(name = 'a.1', count = 1): CountedEvent {
  const at = new Date(0);
  return {
    name,
    occurrence: {
      type: 'Normal',
      reason: 'Synced',
      action: 'Synced',
      note: 'synced',
      regarding: { apiVersion: 'test.dev/v1', kind: 'Machine', name: 'a', namespace: 'apps' },
      related: undefined,
      annotations: undefined,
      reportingController: 'machine',
      reportingInstance: 'machine-host',
      at,
    },
    firstObserved: at,
    lastObserved: at,
    lastObservedMs: 0,
    count,
    sentCount: 0,
    queued: false,
    again: false,
  };
}

const answers: readonly (readonly [string, () => Error, number])[] = [
  ['that is cut off', () => new KubewrightError('REQUEST_FAILED', 'no answer'), 12],
  ['that is not an event', () => new KubewrightError('INVALID_RESPONSE', 'not JSON'), 12],
  ['with status 503', () => refusal(503, 'ServiceUnavailable'), 12],
  ['with status 429', () => refusal(429, 'TooManyRequests'), 12],
  ['with status 403', () => refusal(403, 'Forbidden'), 1],
  ['with status 422', () => refusal(422, 'Invalid'), 1],
  ['with reason AlreadyExists', () => refusal(409, 'AlreadyExists'), 1],
];
for (const [what, error, tries] of answers) {
  test(`[CG-141] a response ${what} leads to ${tries === 1 ? 'no retry' : `${tries} attempts, at most ten seconds apart`}`, async () => {
    const { sender, sink, clock } = setUp();
    sink.answer = () => {
      throw error();
    };
    sender.send(event());
    await settle();
    const waits: number[] = [];
    for (let [wait] = clock.pendingMs; wait !== undefined; [wait] = clock.pendingMs) {
      waits.push(wait);
      clock.advance(wait);
      await settle();
    }
    assert.equal(sink.writes.length, tries);
    assert.deepEqual(waits, tries === 1 ? [] : [5000, ...Array.from({ length: tries - 2 }, () => 10_000)]);
    assert.equal(sender.stats().waiting, 0);
    assert.equal(sender.stats().failed, error().message === 'AlreadyExists' ? 0 : 1);
  });
}

test('[CG-141, CG-154] does not lose an event during transient failures', async () => {
  const { sender, sink, clock } = setUp();
  sink.answer = (_, nth) => {
    if (nth <= 3) throw new KubewrightError('REQUEST_FAILED', 'no answer');
  };
  sender.send(event());
  await settle();
  for (const wait of [5000, 10_000, 10_000]) {
    clock.advance(wait);
    await settle();
  }
  assert.deepEqual(sender.stats(), { sent: 1, dropped: 0, failed: 0, waiting: 0 });
  assert.equal(sink.writes.length, 4);
});

test('[CG-154] increments the count of an event that another client has recreated, without creating the event', async () => {
  const { sender, sink } = setUp();
  let updates = 0;
  sink.answer = ({ how }) => {
    if (how === 'update' && ++updates === 1) throw refusal(404, 'NotFound');
    if (how === 'create') throw refusal(409, 'AlreadyExists');
  };
  const counted = { ...event('a.1', 2), sentCount: 1 };
  sender.send(counted);
  await settle();
  assert.deepEqual(
    sink.writes.map(({ how }) => how),
    ['update', 'create', 'update'],
  );
  assert.equal(counted.sentCount, 2);
});

test('[CG-143] close ends the delay before the next attempt', async () => {
  const { sender, sink, clock } = setUp();
  sink.answer = () => {
    throw refusal(503, 'ServiceUnavailable');
  };
  sender.send(event());
  await settle();
  const limit = new AbortController();
  const closed = sender.close(limit.signal);
  limit.abort();
  await closed;
  assert.equal(sink.writes.length, 1);
  assert.deepEqual(clock.pendingMs, []);
});

test('[CG-143] close aborts a pending request', async () => {
  const { sender, sink } = setUp();
  sink.answer = (_, _nth, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
  sender.send(event());
  sender.send(event('b.1'));
  await settle();
  await sender.close(AbortSignal.abort());
  assert.equal(sender.stats().waiting, 0);
});

test('[CG-144] if too many events occur at once, drops the excess events, sends the first events in order, and sends later events', async () => {
  const { sender, sink } = setUp();
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  sink.answer = () => opened;
  for (let at = 0; at < 3000; at++) sender.send(event(`a.${at}`));
  open();
  while (sender.stats().waiting > 0) await settle();
  const { sent, dropped, failed } = sender.stats();
  assert.equal(sent + dropped, 3000);
  assert.ok(sent >= 1000);
  assert.equal(failed, 0);
  assert.deepEqual(
    sink.writes.map(({ event: { name } }) => name),
    Array.from({ length: sent }, (_, at) => `a.${at}`),
  );
  sender.send(event('later'));
  await settle();
  assert.equal(sink.writes.at(-1)?.event.name, 'later');
});

test('[CG-146] close sends pending events within its time limit', async () => {
  const { sender, sink } = setUp();
  for (let at = 0; at < 100; at++) sender.send(event(`a.${at}`));
  await sender.close(new AbortController().signal);
  assert.equal(sink.writes.length, 100);
  sender.send(event('later'));
  await settle();
  assert.equal(sink.writes.length, 100);
});
