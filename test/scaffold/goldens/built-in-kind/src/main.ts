import { Manager } from '@kubewright/runtime';
import { DeploymentController } from './controllers/deployment-controller.js';
import { WebsiteController } from './controllers/website-controller.js';

const manager = new Manager({ leaderElection: 'built-in-kind-operator' });
manager.add(WebsiteController);
manager.add(DeploymentController);
await manager.start();
