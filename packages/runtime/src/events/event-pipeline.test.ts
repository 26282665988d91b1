import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { RecordedEvents } from '../test-support/recorded-events.js';
import { ManualClock } from '../test-support/manual-clock.js';
import { refusal } from '../test-support/object-table.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import type { Counting } from './event-correlator.js';
import { EventPipeline } from './event-pipeline.js';
import { ReportingEventRecorder } from './reporting-event-recorder.js';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp({ counting = 'series', sinks = 1 }: { counting?: Counting; sinks?: number } = {}) {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const kept = Array.from({ length: sinks }, () => new RecordedEvents());
  const pipelines = kept.map((sink) => new EventPipeline({ sink, counting, clock, logger, random: () => 0.5 }));
  const recorder = new ReportingEventRecorder({ pipelines, clock, logger, reportingController: 'machine' });
  const [sink = new RecordedEvents()] = kept;
  const [pipeline] = pipelines;
  assert.ok(pipeline);
  return { clock, logger, sink, sinks: kept, pipeline, pipelines, recorder };
}
function machine(name: string, resourceVersion = '1'): KubeObject {
  const metadata = { name, namespace: 'apps', uid: `uid-${name}`, resourceVersion, creationTimestamp: '' };
  return { apiVersion: 'test.dev/v1', kind: 'Machine', metadata };
}
/** Records the same event several times, and waits after each time until the event was sent. */
async function repeat(times: number, record: () => void): Promise<void> {
  for (let at = 0; at < times; at++) {
    record();
    await settle();
  }
}

test('[CG-151] a repeated event is a series, even if the version of the object changes', async () => {
  const { recorder, sink } = setUp();
  recorder.normal(machine('a', '1'), 'Synced', 'synced');
  await settle();
  recorder.normal(machine('a', '2'), 'Synced', 'synced');
  await settle();
  assert.deepEqual(sink.counts, [
    ['create', 1],
    ['update', 2],
  ]);
  assert.equal(sink.writes[0]?.event.name, sink.writes[1]?.event.name);
});

test('[CG-151] events with another type, reason, action, object or related object are different events', async () => {
  const { recorder, sink } = setUp();
  recorder.normal(machine('a'), 'Synced', 'synced');
  recorder.warning(machine('a'), 'Synced', 'synced');
  recorder.normal(machine('a'), 'Started', 'synced');
  recorder.normal(machine('a'), 'Synced', 'synced', { action: 'Syncing' });
  recorder.normal(machine('b'), 'Synced', 'synced');
  recorder.normal(machine('a'), 'Synced', 'synced', { related: machine('b') });
  recorder.normal(machine('a'), 'Synced', 'synced', { fieldPath: 'spec.disks{root}' });
  await settle();
  assert.deepEqual(new Set(sink.counts.map(([, count]) => count)), new Set([1]));
  assert.equal(sink.writes.length, 7);
});

test('[CG-147] sends the count of a series each time the count has doubled', async () => {
  const { recorder, sink } = setUp();
  await repeat(9, () => recorder.normal(machine('a'), 'Synced', 'synced'));
  assert.deepEqual(
    sink.counts.map(([, count]) => count),
    [1, 2, 4, 8],
  );
});

test('[CG-147] the core API receives each repetition with the times of its first and latest occurrence', async () => {
  const { recorder, sink, clock } = setUp({ counting: 'each' });
  await repeat(3, () => {
    recorder.normal(machine('a'), 'Synced', 'synced');
    clock.advance(1000);
  });
  assert.deepEqual(sink.counts, [
    ['create', 1],
    ['update', 2],
    ['update', 3],
  ]);
  const { firstObserved, lastObserved } = sink.writes[2]?.event ?? {};
  assert.equal(Number(lastObserved) - Number(firstObserved), 2000);
});

test('[CG-147] combines the tenth and all later texts about an object into one event with the latest text', async () => {
  const { recorder, sink } = setUp({ counting: 'each' });
  for (let at = 1; at <= 12; at++) await repeat(1, () => recorder.warning(machine('a'), 'Failed', `disk ${at}`));
  const notes = sink.writes.map(({ how, event }) => [how, event.note, event.count]);
  assert.deepEqual(notes.slice(8), [
    ['create', 'disk 9', 1],
    ['create', '(combined from similar events): disk 10', 1],
    ['update', '(combined from similar events): disk 11', 2],
    ['update', '(combined from similar events): disk 12', 3],
  ]);
});

test('[CG-147] increments the count of the event with the same text instead of combining the text with other texts', async () => {
  const { recorder, sink } = setUp({ counting: 'each' });
  for (let at = 1; at <= 9; at++) await repeat(1, () => recorder.warning(machine('a'), 'Failed', `disk ${at}`));
  await repeat(1, () => recorder.warning(machine('a'), 'Failed', 'disk 3'));
  assert.deepEqual(sink.writes.at(-1)?.event.note, 'disk 3');
  assert.deepEqual(sink.counts.at(-1), ['update', 2]);
});

test('[CG-147] does not combine texts about other objects, or events with another type or reason', async () => {
  const { recorder, sink } = setUp();
  for (let at = 1; at <= 9; at++) {
    recorder.normal(machine('a'), 'Failed', `disk ${at}`);
    recorder.warning(machine('a'), 'Failed', `disk ${at}`);
    recorder.warning(machine('b'), 'Failed', `disk ${at}`);
    recorder.warning(machine('b'), 'Lost', `disk ${at}`);
  }
  await settle();
  await settle();
  assert.equal(sink.writes.length, 36);
  assert.ok(sink.writes.every(({ event }) => !event.note.startsWith('(combined')));
});

test('[CG-147] sends texts separately again after 10 min without similar events', async () => {
  for (const [pauseMs, combined] of [
    [600_000, true],
    [600_001, false],
  ] as const) {
    const { recorder, sink, clock } = setUp({ counting: 'each' });
    for (let at = 1; at <= 11; at++) await repeat(1, () => recorder.warning(machine('a'), 'Failed', `disk ${at}`));
    clock.advance(pauseMs);
    await repeat(1, () => recorder.warning(machine('a'), 'Failed', 'disk 12'));
    assert.equal(sink.writes.at(-1)?.event.note.startsWith('(combined'), combined);
  }
});

test('[CG-148] allows 25 events of an object at once and one more every 5 min, separately for each object', async () => {
  const { recorder, sink, clock, pipeline } = setUp({ counting: 'each' });
  const reported = (): number => sink.writes.length;
  await repeat(40, () => recorder.normal(machine('a'), 'Step', 'step'));
  assert.equal(reported(), 25);
  assert.equal(pipeline.stats().silenced, 15);
  await repeat(1, () => recorder.warning(machine('a'), 'Step', 'step'));
  await repeat(1, () => recorder.normal(machine('b'), 'Step', 'step'));
  assert.equal(reported(), 27, 'another type, and another object');
  clock.advance(299_999);
  await repeat(1, () => recorder.normal(machine('a'), 'Step', 'step'));
  assert.equal(reported(), 27);
  clock.advance(1);
  await repeat(2, () => recorder.normal(machine('a'), 'Step', 'step'));
  assert.equal(reported(), 28);
  assert.deepEqual(sink.counts.at(-1), ['update', 42], 'silenced events are counted');
});

test('[CG-148] different events of one object, including series, use the same budget', async () => {
  const { recorder, sink } = setUp();
  for (let at = 0; at < 40; at++) recorder.normal(machine('a'), `Step${at}`, 'step');
  recorder.normal(machine('b'), 'Step', 'step');
  await settle();
  await settle();
  assert.equal(sink.writes.length, 26);
});

test('[CG-152] ends a series after 6 min without new events, sends its count, and creates a new event at the next occurrence', async () => {
  const { recorder, sink, clock } = setUp();
  await repeat(3, () => recorder.normal(machine('a'), 'Synced', 'synced'));
  clock.advance(360_000);
  await settle();
  assert.deepEqual(sink.counts.at(-1), ['update', 3]);
  assert.deepEqual(clock.pendingMs, []);
  await repeat(1, () => recorder.normal(machine('a'), 'Synced', 'synced'));
  assert.deepEqual(sink.counts.at(-1), ['create', 1]);
});

test('[CG-152, CG-250] discards a single event that is not repeated, without a request', async () => {
  const { recorder, sink, clock } = setUp();
  await repeat(1, () => recorder.normal(machine('a'), 'Synced', 'synced'));
  clock.advance(360_000);
  await settle();
  assert.equal(sink.writes.length, 1);
  assert.deepEqual(clock.pendingMs, []);
  await repeat(1, () => recorder.normal(machine('a'), 'Synced', 'synced'));
  assert.deepEqual(sink.counts.at(-1), ['create', 1]);
});

test('[CG-152] does not end a series that has new events', async () => {
  const { recorder, sink, clock } = setUp();
  for (let at = 0; at < 5; at++) {
    await repeat(1, () => recorder.normal(machine('a'), 'Synced', 'synced'));
    clock.advance(300_000);
  }
  await settle();
  assert.deepEqual(
    sink.counts.map(([how]) => how),
    ['create', 'update', 'update'],
  );
});

test('[CG-153] sends an active series every 30 min, so that the server does not delete it', async () => {
  const { recorder, sink, clock } = setUp();
  const everyFiveMinutes = async (times: number): Promise<void> => {
    for (let at = 0; at < times; at++) {
      await repeat(1, () => recorder.normal(machine('a'), 'Synced', 'synced'));
      clock.advance(300_000);
      await settle();
    }
  };
  await everyFiveMinutes(5);
  const before = sink.writes.length;
  await everyFiveMinutes(1);
  assert.equal(sink.writes.length, before + 1);
  assert.equal(sink.writes.at(-1)?.how, 'update');
});

test('[CG-142] recreates an event that the server has deleted, with its current count', async () => {
  const { recorder, sink } = setUp();
  sink.answer = ({ how }) => {
    if (how === 'update') throw refusal(404, 'NotFound');
  };
  await repeat(2, () => recorder.normal(machine('a'), 'Synced', 'synced'));
  assert.deepEqual(sink.counts, [
    ['create', 1],
    ['update', 2],
    ['create', 2],
  ]);
});

test('[CG-145] each sink receives all events, even if another sink fails', async () => {
  const { recorder, sinks, pipelines } = setUp({ sinks: 2 });
  const [broken, whole] = sinks;
  assert.ok(broken && whole);
  broken.answer = () => {
    throw refusal(403, 'Forbidden');
  };
  await repeat(2, () => recorder.normal(machine('a'), 'Synced', 'synced'));
  assert.deepEqual(whole.counts, [
    ['create', 1],
    ['update', 2],
  ]);
  assert.deepEqual(broken.counts, [
    ['create', 1],
    ['create', 2],
  ]);
  assert.deepEqual(
    pipelines.map((pipeline) => pipeline.stats().failed),
    [2, 0],
  );
});

test('[CG-154] sends repetitions that occur during the first request as a series after this request', async () => {
  const { recorder, sink } = setUp();
  let answer: (() => void) | undefined;
  sink.answer = (_, nth) => (nth === 1 ? new Promise((resolve) => void (answer = resolve)) : undefined);
  await repeat(3, () => recorder.normal(machine('a'), 'Synced', 'synced'));
  assert.equal(sink.writes.length, 1);
  answer?.();
  await settle();
  assert.deepEqual(sink.counts, [
    ['create', 1],
    ['update', 3],
  ]);
});

test('[CG-146] close sends the pending counts, and drops events that are recorded later', async () => {
  const { recorder, sink, pipeline, clock } = setUp();
  await repeat(3, () => recorder.normal(machine('a'), 'Synced', 'synced'));
  recorder.normal(machine('b'), 'Synced', 'synced');
  await pipeline.close(new AbortController().signal);
  assert.deepEqual(
    sink.counts
      .slice(2)
      .map(([, count]) => count)
      .toSorted((a, b) => a - b),
    [1, 3],
  );
  const { length } = sink.writes;
  recorder.normal(machine('c'), 'Synced', 'synced');
  clock.advance(3_600_000);
  await settle();
  assert.equal(sink.writes.length, length);
});

test('[CG-146] close resolves if it is called twice or before any event', async () => {
  const { pipeline, recorder, clock } = setUp();
  await Promise.all([pipeline.close(AbortSignal.abort()), pipeline.close(new AbortController().signal)]);
  recorder.normal(machine('a'), 'Synced', 'synced');
  await settle();
  assert.equal(pipeline.stats().waiting, 0);
  clock.advance(3_600_000);
  assert.deepEqual(clock.pendingMs, []);
});
