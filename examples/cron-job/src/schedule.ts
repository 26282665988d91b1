import { CronExpressionParser } from 'cron-parser';
import { parseCron } from './cron-format.js';

/** The newest run that is due and not yet started, if any, and the next run to wait for. */
export interface Plan {
  readonly missed: Date | undefined;
  readonly next: Date;
}

/** Computes the runs to start and to wait for. Throws if the schedule is not in cron format, or has no runs. */
export function plan(schedule: string, since: Date, now: Date): Plan {
  const format = parseCron(schedule);
  if ('everySeconds' in format) return planOfInterval(format.everySeconds * 1000, since, now);
  const { fields } = format;
  const missed = CronExpressionParser.parse(fields, { currentDate: new Date(now.getTime() + 1), tz: 'UTC' })
    .prev()
    .toDate();
  const next = CronExpressionParser.parse(fields, { currentDate: now, tz: 'UTC' }).next().toDate();
  return { missed: missed > since ? missed : undefined, next };
}

function planOfInterval(everyMs: number, since: Date, now: Date): Plan {
  const runs = Math.max(0, Math.floor((now.getTime() - since.getTime()) / everyMs));
  const last = since.getTime() + runs * everyMs;
  return { missed: runs > 0 ? new Date(last) : undefined, next: new Date(last + everyMs) };
}
