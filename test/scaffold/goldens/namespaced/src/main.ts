import { Manager } from '@kubewright/runtime';
import { WebsiteController } from './controllers/website-controller.js';

const manager = new Manager({ leaderElection: 'namespaced-operator' });
manager.add(WebsiteController);
await manager.start();
