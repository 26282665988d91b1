import { Manager } from '@kubewright/runtime';
import { CronJobController } from './controllers/cron-job-controller.js';
import { CronJobConverter } from './webhooks/cron-job-converter.js';
import { CronJobDefaulter } from './webhooks/cron-job-defaulter.js';
import { CronJobValidator } from './webhooks/cron-job-validator.js';

const manager = new Manager({ leaderElection: 'cron-operator' });
await manager.add(CronJobController, CronJobDefaulter, CronJobValidator, CronJobConverter).start();
