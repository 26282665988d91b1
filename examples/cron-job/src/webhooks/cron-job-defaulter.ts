import { Defaulter, type Draft } from '@kubewright/api';
import { CronJob } from '../api/v1/cron-job.js';

/** Sets the defaults that the schema of the kind cannot express, because the kind imports the schema of the Job template. */
@Defaulter({ for: CronJob })
export class CronJobDefaulter implements Defaulter<CronJob> {
  /** Sets the restart policy of the Job template. Without a restart policy, the API server would admit the CronJob, but reject its Jobs. */
  default(cronJob: Draft<CronJob>): void {
    const pod = cronJob.spec.jobTemplate.spec?.template.spec;
    if (pod !== undefined) pod.restartPolicy ??= 'OnFailure';
  }
}
