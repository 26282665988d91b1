import { CronExpressionParser } from 'cron-parser';

/** The newest run that is due and not yet started, if any, and the next run to wait for. */
export interface Plan {
  readonly missed: Date | undefined;
  readonly next: Date;
}

/** Computes the runs to start and to wait for. Throws if the schedule is not in cron format. */
export function plan(schedule: string, since: Date, now: Date): Plan {
  const missed = CronExpressionParser.parse(schedule, { currentDate: new Date(now.getTime() + 1), tz: 'UTC' })
    .prev()
    .toDate();
  const next = CronExpressionParser.parse(schedule, { currentDate: now, tz: 'UTC' }).next().toDate();
  return { missed: missed > since ? missed : undefined, next };
}
