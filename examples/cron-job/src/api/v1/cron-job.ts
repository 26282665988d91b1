import { type Condition, CustomResource, type Default, Field, Kind, PrintColumn } from '@kubewright/api';
import { JobTemplateSpec } from '@kubewright/api/batch/v1';
import { ObjectReference } from '@kubewright/api/core/v1';

export type ConcurrencyPolicy = 'Allow' | 'Forbid' | 'Replace';

export class CronJobSpec {
  /** Schedule of the runs in cron format. */
  @Field.string({ minLength: 1 }) schedule!: string;
  /** Deadline in seconds for starting a run after its scheduled time. A later run counts as missed. */
  @Field.int64({ minimum: 0, optional: true }) startingDeadlineSeconds?: number;
  /** What to do if the previous run is still active. */
  @Field.enum(['Allow', 'Forbid', 'Replace']) concurrencyPolicy: Default<ConcurrencyPolicy> = 'Allow';
  @Field.boolean() suspend: Default<boolean> = false;
  @Field.object(JobTemplateSpec) jobTemplate!: JobTemplateSpec;
  @Field.int32({ minimum: 0 }) successfulJobsHistoryLimit: Default<number> = 3;
  @Field.int32({ minimum: 0 }) failedJobsHistoryLimit: Default<number> = 1;
}
export class CronJobStatus {
  @Field.list(ObjectReference, { optional: true }) active?: ObjectReference[];
  @Field.dateTime({ optional: true }) lastScheduleTime?: string;
  @Field.conditions() conditions?: Condition[];
}

@Kind({ group: 'batch.tutorial.kubebuilder.io', version: 'v1', storage: true, shortNames: ['tcj'] })
@PrintColumn({ name: 'Schedule', jsonPath: '.spec.schedule' })
@PrintColumn({ name: 'Last', jsonPath: '.status.lastScheduleTime' })
export class CronJob extends CustomResource(CronJobSpec, CronJobStatus) {}
