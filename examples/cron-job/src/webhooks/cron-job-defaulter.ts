import { Defaulter, type Draft } from '@kubewright/api';
import { CronJob } from '../api/v1/cron-job.js';

/** Sets the defaults that the schema of the kind cannot express, because it imports the schema of the Job template. */
@Defaulter({ for: CronJob })
export class CronJobDefaulter implements Defaulter<CronJob> {
  /** Without a restart policy, the API server would reject the Jobs instead of the CronJob. */
  default(cronJob: Draft<CronJob>): void {
    const pod = cronJob.spec.jobTemplate.spec?.template.spec;
    if (pod !== undefined) pod.restartPolicy ??= 'OnFailure';
  }
}
