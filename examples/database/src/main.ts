import { Manager } from '@kubewright/runtime';
import { DatabaseController } from './controllers/database-controller.js';

await new Manager({ leaderElection: 'database-operator' }).add(DatabaseController).start();
