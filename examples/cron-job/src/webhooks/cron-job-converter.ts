import { type ConvertedContent, Converter } from '@kubewright/api';
import { CronJob as CronJobV1 } from '../api/v1/cron-job.js';
import { CronJob as CronJobV2, type CronSchedule } from '../api/v2/cron-job.js';

const FIELDS = ['minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek'] as const;

/**
 * Converts between v2, whose schedule is an object, and v1, which is stored. Never fails, because a failure would block all lists of
 * CronJobs.
 */
@Converter({ from: CronJobV2, hub: CronJobV1 })
export class CronJobConverter implements Converter<CronJobV2, CronJobV1> {
  up(cronJob: CronJobV2): ConvertedContent<CronJobV1> {
    return { ...cronJob, spec: { ...cronJob.spec, schedule: textOf(cronJob.spec.schedule) } };
  }

  down(cronJob: CronJobV1): ConvertedContent<CronJobV2> {
    return { ...cronJob, spec: { ...cronJob.spec, schedule: scheduleOf(cronJob.spec.schedule) } };
  }
}

function textOf({ descriptor, ...fields }: CronSchedule): string {
  return descriptor ?? FIELDS.map((field) => fields[field] ?? '*').join(' ');
}

function scheduleOf(text: string): CronSchedule {
  const parts = text.split(' ');
  if (parts.length !== FIELDS.length) return { descriptor: text };
  return Object.fromEntries(FIELDS.map((field, at) => [field, parts[at]]).filter(([, part]) => part !== '*'));
}
