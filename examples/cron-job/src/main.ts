import { Manager } from '@kubewright/runtime';
import { CronJobController } from './controllers/cron-job-controller.js';

await new Manager({ leaderElection: 'cron-operator' }).add(CronJobController).start();
