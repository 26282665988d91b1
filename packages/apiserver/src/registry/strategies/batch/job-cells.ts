import { age, humanDuration } from '../../objects/age.js';
import type { ApiObject } from '../../objects/api-object.js';
import { numberAt, objectAt, objectsAt, stringAt, valueAt } from '../../objects/json-object.js';
import { hasCondition } from '../rules/field-checks.js';
import { templateCells } from '../apps/workload-cells.js';

/** Returns the table row of a Job: name, status, completions, duration and age. The wide columns are containers, images and selector. */
export function jobCells(job: ApiObject, now: Date): readonly unknown[] {
  return [
    job.metadata.name,
    statusText(job),
    completions(job),
    duration(job, now),
    age(job.metadata.creationTimestamp, now),
    ...templateCells(objectAt(job, 'spec')),
  ];
}

/**
 * Returns the table row of a CronJob: name, schedule, timezone, suspend, active, last schedule and age. The wide columns are containers,
 * images and selector.
 */
export function cronJobCells(cronJob: ApiObject, now: Date): readonly unknown[] {
  const suspend = valueAt(cronJob, 'spec', 'suspend');
  const last = stringAt(cronJob, 'status', 'lastScheduleTime');
  return [
    cronJob.metadata.name,
    stringAt(cronJob, 'spec', 'schedule'),
    stringAt(cronJob, 'spec', 'timeZone') || '<none>',
    suspend === true ? 'True' : suspend === false ? 'False' : '<unset>',
    objectsAt(cronJob, 'status', 'active').length,
    last === '' ? '<none>' : age(last, now),
    age(cronJob.metadata.creationTimestamp, now),
    ...templateCells(objectAt(cronJob, 'spec', 'jobTemplate', 'spec')),
  ];
}

function statusText(job: ApiObject): string {
  if (hasCondition(job, 'Complete')) return 'Complete';
  if (hasCondition(job, 'Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  const reported = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => hasCondition(job, type));
  return reported ?? 'Running';
}

function completions(job: ApiObject): string {
  const succeeded = numberAt(job, 'status', 'succeeded') ?? 0;
  const desired = numberAt(job, 'spec', 'completions');
  if (desired !== undefined) return `${succeeded}/${desired}`;
  const parallelism = numberAt(job, 'spec', 'parallelism') ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function duration(job: ApiObject, now: Date): string {
  const start = stringAt(job, 'status', 'startTime');
  if (start === '') return '';
  const end = stringAt(job, 'status', 'completionTime');
  return humanDuration((end === '' ? now.getTime() : Date.parse(end)) - Date.parse(start));
}
