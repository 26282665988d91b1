import { Manager } from '@kubewright/runtime';
import { WebsiteController } from './controllers/website-controller.js';

const manager = new Manager({ leaderElection: 'several-versions-operator' });
manager.add(WebsiteController);
await manager.start();
