import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { cronSchedule, dueRun, zonedTime } from './cron-schedule.js';

const cronJob = (spec: object, lastScheduleTime?: string): ApiObject => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'c', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-03-01T00:00:00Z' },
  spec,
  ...(lastScheduleTime === undefined ? {} : { status: { lastScheduleTime } }),
});
const due = (job: ApiObject, now: string) => dueRun(job, cronSchedule(job), new Date(now));

test('the latest missed run is due', () => {
  const { time, missedMany, nextInMs } = due(cronJob({ schedule: '0 * * * *' }), '2026-03-01T03:20:00Z');
  assert.equal(time?.toISOString(), '2026-03-01T03:00:00.000Z');
  assert.equal(missedMany, false);
  assert.equal(nextInMs, 40 * 60_000);
});

test('no run is due before the first run or after a completed run', () => {
  assert.equal(due(cronJob({ schedule: '0 1 * * *' }), '2026-03-01T00:59:59Z').time, undefined);
  const job = cronJob({ schedule: '0 1 * * *' }, '2026-03-01T01:00:00Z');
  assert.equal(due(job, '2026-03-01T12:00:00Z').time, undefined);
});

test('a run that is older than the starting deadline is not due', () => {
  const job = cronJob({ schedule: '0 1 * * *', startingDeadlineSeconds: 60 });
  assert.equal(due(job, '2026-03-01T01:01:01Z').time, undefined);
  assert.equal(due(job, '2026-03-01T01:00:59Z').time?.toISOString(), '2026-03-01T01:00:00.000Z');
});

test('reports more than 100 missed runs', () => {
  assert.equal(due(cronJob({ schedule: '* * * * *' }), '2026-03-01T02:00:00Z').missedMany, true);
});

test('evaluates a schedule in its time zone, including daylight saving time', () => {
  const job = cronJob({ schedule: '30 9 * * *', timeZone: 'Europe/Berlin' });
  const schedule = cronSchedule(job);
  assert.equal(schedule.next(new Date('2026-03-28T00:00:00Z')).toISOString(), '2026-03-28T08:30:00.000Z');
  assert.equal(schedule.next(new Date('2026-03-29T00:00:00Z')).toISOString(), '2026-03-29T07:30:00.000Z');
});

test('formats a time with the offset of its zone', () => {
  const time = new Date('2026-07-01T12:00:00Z');
  assert.equal(zonedTime(time, ''), '2026-07-01T12:00:00Z');
  assert.equal(zonedTime(time, 'Europe/Berlin'), '2026-07-01T14:00:00+02:00');
  assert.equal(zonedTime(time, 'America/St_Johns'), '2026-07-01T09:30:00-02:30');
});

test('rejects an invalid schedule', () => {
  assert.throws(() => cronSchedule(cronJob({ schedule: 'whenever' })));
});

test('a schedule with @every counts from the last run', () => {
  const schedule = cronSchedule(cronJob({ schedule: '@every 1h30m' }));
  assert.equal(schedule.next(new Date('2026-03-01T00:00:00.500Z')).toISOString(), '2026-03-01T01:30:00.000Z');
});
