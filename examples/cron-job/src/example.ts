import { CronJob } from './api/v1/cron-job.js';
import { CronJobController } from './controllers/cron-job-controller.js';

export { CronJob } from './api/v1/cron-job.js';

const container = { name: 'hello', image: 'busybox' };
const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } };

export const kinds = [CronJob];
export const controllers = [CronJobController];
export const samples = [cronJobOf('often', '* * * * * *'), cronJobOf('seldom', '*/3 * * * * *')];

/** Whether the state of a sample is the desired state. */
export function isConverged(cronJob: CronJob): boolean {
  return cronJob.status?.lastScheduleTime !== undefined;
}

function cronJobOf(name: string, schedule: string): CronJob {
  const metadata = { name, namespace: 'default' };
  return new CronJob({ metadata, spec: { schedule, successfulJobsHistoryLimit: 1, jobTemplate } });
}
