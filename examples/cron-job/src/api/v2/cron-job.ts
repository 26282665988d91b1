import { CustomResource, type Default, Field, Kind, PrintColumn, Rule } from '@kubewright/api';
import { JobTemplateSpec } from '@kubewright/api/batch/v1';
import { type ConcurrencyPolicy, CronJobStatus } from '../v1/cron-job.js';

/** A schedule with one field for each field of the cron format. A field that is not set is '*'. */
@Rule({
  rule: '!has(self.descriptor) || !(has(self.minute) || has(self.hour) || has(self.dayOfMonth) || has(self.month) || has(self.dayOfWeek))',
  message: 'descriptor replaces all other fields; remove descriptor or the other fields',
})
export class CronSchedule {
  @Field.string({ optional: true }) minute?: string;
  @Field.string({ optional: true }) hour?: string;
  @Field.string({ optional: true }) dayOfMonth?: string;
  @Field.string({ optional: true }) month?: string;
  @Field.string({ optional: true }) dayOfWeek?: string;
  /** A schedule that does not have five fields, such as '@hourly' or '@every 5m'. */
  @Field.string({ optional: true }) descriptor?: string;
}

export class CronJobSpec {
  /** Schedule of the runs. */
  @Field.object(CronSchedule) schedule!: CronSchedule;
  /** Deadline in seconds for starting a run after its scheduled time. A later run counts as missed. */
  @Field.int64({ minimum: 0, optional: true }) startingDeadlineSeconds?: number;
  /** What to do if the previous run is still active. */
  @Field.enum(['Allow', 'Forbid', 'Replace']) concurrencyPolicy: Default<ConcurrencyPolicy> = 'Allow';
  @Field.boolean() suspend: Default<boolean> = false;
  @Field.object(JobTemplateSpec) jobTemplate!: JobTemplateSpec;
  @Field.int32({ minimum: 0 }) successfulJobsHistoryLimit: Default<number> = 3;
  @Field.int32({ minimum: 0 }) failedJobsHistoryLimit: Default<number> = 1;
}

@Kind({ group: 'batch.tutorial.kubebuilder.io', version: 'v2', shortNames: ['tcj'] })
@PrintColumn({ name: 'Suspended', jsonPath: '.spec.suspend', type: 'boolean' })
@PrintColumn({ name: 'Last', jsonPath: '.status.lastScheduleTime' })
export class CronJob extends CustomResource(CronJobSpec, CronJobStatus) {}
