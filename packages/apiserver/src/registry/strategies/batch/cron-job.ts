import { append } from '@kubewright/api/json';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { madeAt, objectAt, stringAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { parseCronSchedule } from './cron-schedule.js';
import { fill, notNegative, invalidSelector } from '../rules/field-checks.js';
import { cronJobCells } from './job-cells.js';
import { defaultJobTemplate } from './job.js';
import { isTimeZone } from './is-time-zone.js';
import { podNameWarnings, templateWarnings } from '../apps/workload-warnings.js';
import { jobSpecErrors } from './job-spec-rules.js';

/** The maximum length of the name of a CronJob. The name of each Job has eleven more characters, and can have at most 63 characters. */
const longestName = 52;
const policies = ['Allow', 'Forbid', 'Replace'];

/** The strategy for CronJobs. A schedule has five fields or is a descriptor such as `@daily`. The time zone is a separate field. */
export const cronJobStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { onlyCommon: 'status' },
  tracksGeneration: true,
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    fill(spec, {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    spec['schedule'] ??= '';
    madeAt(spec, 'jobTemplate', 'metadata');
    defaultJobTemplate(madeAt(spec, 'jobTemplate', 'spec'));
  },
  prepareForCreate: (draft) => {
    draft['status'] = {};
  },
  validate: (cronJob) => {
    const errors = [...specErrors(cronJob)];
    const { name } = cronJob.metadata;
    if (name.length > longestName) {
      errors.push(fieldErrors.invalid('metadata.name', name, `must be no more than ${longestName} characters`));
    }
    return errors;
  },
  validateUpdate: specErrors,
  warnings: (cronJob, old) => {
    const job = objectAt(cronJob, 'spec', 'jobTemplate', 'spec');
    const before = old && objectAt(old, 'spec', 'jobTemplate', 'spec');
    const warnings = templateWarnings(job, before, 'spec.jobTemplate.spec');
    if (old === undefined) return [...podNameWarnings(cronJob), ...warnings];
    if (!stringAt(cronJob, 'spec', 'schedule').includes('TZ')) return warnings;
    const more = 'see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';
    return [...warnings, `cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, ${more}`];
  },
  cells: cronJobCells,
};

function specErrors(cronJob: ApiObject, old?: ApiObject): readonly FieldError[] {
  const spec = objectAt(cronJob, 'spec');
  const errors = [...scheduleErrors(spec, old), ...notNegative(spec, 'spec', 'startingDeadlineSeconds')];
  if (old === undefined || valueAt(old, 'spec', 'timeZone') !== spec['timeZone']) append(errors, zoneErrors(spec));
  const policy = stringAt(spec, 'concurrencyPolicy');
  if (!policies.includes(policy)) {
    errors.push(fieldErrors.notSupported('spec.concurrencyPolicy', policy, policies));
  }
  const job = objectAt(spec, 'jobTemplate', 'spec');
  const path = 'spec.jobTemplate.spec';
  append(errors, jobSpecErrors(job, path));
  if (job['selector'] !== undefined) {
    errors.push(invalidSelector(`${path}.selector`, job['selector'], '`selector` will be auto-generated'));
  }
  if (job['manualSelector'] === true) {
    errors.push(fieldErrors.notSupported(`${path}.manualSelector`, true, ['nil', 'false']));
  }
  return [...errors, ...notNegative(spec, 'spec', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit')];
}

function scheduleErrors(spec: JsonDraft, old: ApiObject | undefined): readonly FieldError[] {
  const path = 'spec.schedule';
  const schedule = stringAt(spec, 'schedule');
  if (schedule === '') return [fieldErrors.required(path)];
  const errors: FieldError[] = [];
  const { error } = parseCronSchedule(schedule);
  if (error !== undefined) errors.push(fieldErrors.invalid(path, schedule, error));
  if (!schedule.includes('TZ')) return errors;
  const hadZone = stringAt(old, 'spec', 'schedule').includes('TZ');
  if (!hadZone) {
    const why = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
    errors.push(fieldErrors.invalid(path, schedule, why));
  } else if (spec['timeZone'] !== undefined) {
    const why = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
    errors.push(fieldErrors.invalid(path, schedule, why));
  }
  return errors;
}

function zoneErrors(spec: JsonDraft): readonly FieldError[] {
  const zone = spec['timeZone'];
  const path = 'spec.timeZone';
  if (typeof zone !== 'string') return [];
  if (zone === '') return [fieldErrors.invalid(path, zone, 'timeZone must be nil or non-empty string')];
  const named = (part: string): boolean =>
    part !== '.' && part !== '..' && !part.startsWith('-') && /^[A-Za-z.\-_0-9+]{1,14}$/.test(part);
  if (!zone.split('/').every(named)) return [fieldErrors.invalid(path, zone, `unknown time zone ${zone}`)];
  const errors: FieldError[] = [];
  if (zone.toLowerCase() === 'local') {
    const why = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    errors.push(fieldErrors.invalid(path, zone, why));
    if (zone === 'Local') return errors;
  }
  if (!isTimeZone(zone)) errors.push(fieldErrors.invalid(path, zone, `unknown time zone ${zone}`));
  return errors;
}
