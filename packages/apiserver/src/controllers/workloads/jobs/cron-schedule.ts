import { createRequire } from 'node:module';
import type * as CronParser from 'cron-parser';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { numberAt, stringAt } from '../../../registry/objects/json-object.js';
import { goQuoted } from '../../../registry/strategies/rules/go-text.js';
import { isTimeZone } from '../../../registry/strategies/batch/is-time-zone.js';
import { parseCronSchedule } from '../../../registry/strategies/batch/cron-schedule.js';

const mostMissed = 100;

/** The schedule of a CronJob. */
export interface CronSchedule {
  /** Returns the first scheduled time after the given time. */
  next(after: Date): Date;
}

/** The reason and the message of the Event about a CronJob whose schedule cannot be used. */
export interface ScheduleFault {
  readonly reason: 'UnparseableSchedule' | 'InvalidSchedule';
  readonly message: string;
}

/**
 * Parses the schedule of a CronJob in its time zone. A time zone at the start of the schedule replaces the time zone of the CronJob. An
 * unknown time zone of the CronJob is ignored. Returns a fault if the schedule is invalid or has no runs, for example because all runs are
 * on February 31.
 */
export function cronSchedule(cronJob: ApiObject): CronSchedule | ScheduleFault {
  const text = stringAt(cronJob, 'spec', 'schedule');
  const parsed = parseCronSchedule(text);
  if (parsed.error !== undefined) {
    return { reason: 'UnparseableSchedule', message: `unparseable schedule: ${goQuoted(text)} : ${parsed.error}` };
  }
  const { zone, times } = parsed;
  if (times === undefined) {
    const why = 'time difference between two schedules is less than 1 second';
    return { reason: 'InvalidSchedule', message: `invalid schedule: ${text} : ${why}` };
  }
  if ('stepSeconds' in times) {
    const stepMs = times.stepSeconds * 1000;
    return { next: (after) => new Date(Math.floor(after.getTime() / 1000) * 1000 + stepMs) };
  }
  // The library is loaded on first use, because the library takes more time and memory than all controllers together.
  const { CronExpressionParser } = createRequire(import.meta.url)('cron-parser') as typeof CronParser;
  const timeZone = stringAt(cronJob, 'spec', 'timeZone');
  const tz = zone ?? (isTimeZone(timeZone) ? timeZone : 'UTC');
  return { next: (currentDate) => CronExpressionParser.parse(times.fields, { currentDate, tz }).next().toDate() };
}

/** The run of a CronJob that is due, and the time until the next run. */
export interface DueRun {
  /** The latest scheduled time that has passed since the last run, or undefined if no run is due. */
  readonly time: Date | undefined;
  /** Whether the CronJob has missed more than 100 runs, which indicates an error. */
  readonly missedMany: boolean;
  /** The milliseconds from now until the next scheduled time. */
  readonly nextInMs: number;
}

/** Returns the run that is due now. Ignores runs that are older than the starting deadline. */
export function dueRun(cronJob: ApiObject, schedule: CronSchedule, now: Date): DueRun {
  const last = stringAt(cronJob, 'status', 'lastScheduleTime') || cronJob.metadata.creationTimestamp;
  const deadline = numberAt(cronJob, 'spec', 'startingDeadlineSeconds');
  const earliest = Math.max(Date.parse(last), deadline === undefined ? 0 : now.getTime() - deadline * 1000);
  const first = schedule.next(new Date(earliest));
  const nextInMs = schedule.next(now).getTime() - now.getTime();
  if (first > now) return { time: undefined, missedMany: false, nextInMs };
  const second = schedule.next(first);
  if (second > now) return { time: first, missedMany: false, nextInMs };
  const stepMs = Math.max(1000, second.getTime() - first.getTime());
  const missed = Math.floor((now.getTime() - first.getTime()) / stepMs) + 1;
  let time = first;
  const from = new Date(first.getTime() + Math.max(0, missed - 2) * stepMs);
  for (let run = schedule.next(from); run <= now; run = schedule.next(run)) time = run;
  return { time, missedMany: missed > mostMissed, nextInMs };
}

/** Formats a time in a time zone as RFC 3339, such as 2026-01-01T09:00:00+01:00. */
export function zonedTime(time: Date, timeZone: string): string {
  if (timeZone === '') return `${time.toISOString().slice(0, 19)}Z`;
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(time);
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? '00';
  const local = `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}`;
  const minutes = Math.round((Date.parse(`${local}Z`) - time.getTime()) / 60_000);
  if (minutes === 0) return `${local}Z`;
  const two = (value: number): string => String(Math.abs(value)).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
}
