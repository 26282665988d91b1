import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { type CronSchedule, cronSchedule, dueRun, zonedTime } from './cron-schedule.js';

const cronJob = (spec: object, lastScheduleTime?: string): ApiObject => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'c', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-03-01T00:00:00Z' },
  spec,
  ...(lastScheduleTime === undefined ? {} : { status: { lastScheduleTime } }),
});
const parsed = (job: ApiObject): CronSchedule => {
  const schedule = cronSchedule(job);
  return 'next' in schedule ? schedule : assert.fail(schedule.message);
};
const due = (job: ApiObject, now: string) => dueRun(job, parsed(job), new Date(now));
const next = (spec: object, after: string): string => parsed(cronJob(spec)).next(new Date(after)).toISOString();

test('the latest missed run of a CronJob is due', () => {
  const { time, missedMany, nextInMs } = due(cronJob({ schedule: '0 * * * *' }), '2026-03-01T03:20:00Z');
  assert.equal(time?.toISOString(), '2026-03-01T03:00:00.000Z');
  assert.equal(missedMany, false);
  assert.equal(nextInMs, 40 * 60_000);
});

test('no run of a CronJob is due before its first run or after a completed run', () => {
  assert.equal(due(cronJob({ schedule: '0 1 * * *' }), '2026-03-01T00:59:59Z').time, undefined);
  const job = cronJob({ schedule: '0 1 * * *' }, '2026-03-01T01:00:00Z');
  assert.equal(due(job, '2026-03-01T12:00:00Z').time, undefined);
});

test('a run of a CronJob is not due if the run is older than the starting deadline', () => {
  const job = cronJob({ schedule: '0 1 * * *', startingDeadlineSeconds: 60 });
  assert.equal(due(job, '2026-03-01T01:01:01Z').time, undefined);
  assert.equal(due(job, '2026-03-01T01:00:59Z').time?.toISOString(), '2026-03-01T01:00:00.000Z');
});

test('reports that a CronJob has missed more than 100 runs', () => {
  assert.equal(due(cronJob({ schedule: '* * * * *' }), '2026-03-01T02:00:00Z').missedMany, true);
});

test('evaluates the schedule of a CronJob in its time zone, including daylight saving time', () => {
  const job = cronJob({ schedule: '30 9 * * *', timeZone: 'Europe/Berlin' });
  const schedule = parsed(job);
  assert.equal(schedule.next(new Date('2026-03-28T00:00:00Z')).toISOString(), '2026-03-28T08:30:00.000Z');
  assert.equal(schedule.next(new Date('2026-03-29T00:00:00Z')).toISOString(), '2026-03-29T07:30:00.000Z');
});

test('formats a time with the offset of its time zone', () => {
  const time = new Date('2026-07-01T12:00:00Z');
  assert.equal(zonedTime(time, ''), '2026-07-01T12:00:00Z');
  assert.equal(zonedTime(time, 'Europe/Berlin'), '2026-07-01T14:00:00+02:00');
  assert.equal(zonedTime(time, 'America/St_Johns'), '2026-07-01T09:30:00-02:30');
});

test('ignores an unknown time zone of the CronJob', () => {
  const schedule = { schedule: '30 9 * * *', timeZone: 'Nowhere/X' };
  assert.equal(next(schedule, '2026-03-01T00:07:00Z'), '2026-03-01T09:30:00.000Z');
});

test('returns the reason and the message of an event for a schedule that is invalid or has no runs', () => {
  const why = 'expected exactly 5 fields, found 1: [whenever]';
  assert.deepEqual(cronSchedule(cronJob({ schedule: 'whenever' })), {
    reason: 'UnparseableSchedule',
    message: `unparseable schedule: "whenever" : ${why}`,
  });
  assert.deepEqual(cronSchedule(cronJob({ schedule: '0 0 31 2 *' })), {
    reason: 'InvalidSchedule',
    message: 'invalid schedule: 0 0 31 2 * : time difference between two schedules is less than 1 second',
  });
});

test('an @every schedule adds a whole number of seconds, and at least one second, to the time of the last run', () => {
  const durations = {
    '1h30m': '01:37:00',
    '1.5h': '01:37:00',
    '500ms': '00:07:01',
    '-5s': '00:07:01',
    '90061ms': '00:08:30',
  };
  for (const [duration, time] of Object.entries(durations)) {
    const found = next({ schedule: `@every ${duration}` }, '2026-03-01T00:07:00.500Z');
    assert.equal(found, `2026-03-01T${time}.000Z`, duration);
  }
});

test('a time zone at the start of a schedule replaces the time zone of the CronJob', () => {
  const after = '2026-03-01T00:07:00Z';
  const timeZone = 'Asia/Tokyo';
  assert.equal(next({ schedule: 'TZ=Europe/Berlin 30 9 * * *', timeZone }, after), '2026-03-01T08:30:00.000Z');
  assert.equal(next({ schedule: 'CRON_TZ=Europe/Berlin @daily', timeZone }, after), '2026-03-01T23:00:00.000Z');
  assert.equal(next({ schedule: 'TZ=UTC @every 1h', timeZone }, after), '2026-03-01T01:07:00.000Z');
});

test('evaluates schedules with an unusual syntax that the validation accepts', () => {
  const times = { ',1 * * * *': '01:01', '+5 * * * *': '01:05', '*-5 * * * *': '00:08', '? ? ? ? ?': '00:08' };
  for (const [schedule, time] of Object.entries(times)) {
    assert.equal(next({ schedule }, '2026-03-01T00:07:00Z'), `2026-03-01T${time}:00.000Z`, schedule);
  }
  assert.equal(next({ schedule: '@midnight' }, '2026-03-01T00:07:00Z'), '2026-03-02T00:00:00.000Z');
});
