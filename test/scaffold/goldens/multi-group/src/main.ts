import { Manager } from '@kubewright/runtime';
import { InvoiceController } from './controllers/invoice-controller.js';
import { WebsiteController } from './controllers/website-controller.js';

const manager = new Manager({ leaderElection: 'multi-group-operator' });
manager.add(WebsiteController);
manager.add(InvoiceController);
await manager.start();
