import { CronJob } from './api/v1/cron-job.js';
import { CronJob as CronJobV2 } from './api/v2/cron-job.js';
import { CronJobController } from './controllers/cron-job-controller.js';
import { CronJobConverter } from './webhooks/cron-job-converter.js';
import { CronJobDefaulter } from './webhooks/cron-job-defaulter.js';
import { CronJobValidator } from './webhooks/cron-job-validator.js';

export { CronJob } from './api/v1/cron-job.js';
export { CronJob as CronJobV2 } from './api/v2/cron-job.js';

const container = { name: 'hello', image: 'busybox' };
const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } };

export const kinds = [CronJob, CronJobV2];
export const controllers = [CronJobController];
export const webhooks = [CronJobDefaulter, CronJobValidator, CronJobConverter];
export const samples = [
  new CronJob({
    metadata: inDefault('often'),
    spec: { schedule: '@every 1s', successfulJobsHistoryLimit: 1, jobTemplate },
  }),
  new CronJobV2({
    metadata: inDefault('seldom'),
    spec: { schedule: { descriptor: '@every 3s' }, successfulJobsHistoryLimit: 1, jobTemplate },
  }),
];

/** Reports whether a sample is in the desired state. */
export function isConverged(cronJob: CronJob | CronJobV2): boolean {
  return cronJob.status?.lastScheduleTime !== undefined;
}

function inDefault(name: string): { readonly name: string; readonly namespace: string } {
  return { name, namespace: 'default' };
}
