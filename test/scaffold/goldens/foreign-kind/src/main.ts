import { Manager } from '@kubewright/runtime';
import { CertificateController } from './controllers/certificate-controller.js';
import { WebsiteController } from './controllers/website-controller.js';

const manager = new Manager({ leaderElection: 'foreign-kind-operator' });
manager.add(WebsiteController);
manager.add(CertificateController);
await manager.start();
