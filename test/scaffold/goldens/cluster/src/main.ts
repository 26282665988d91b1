import { Manager } from '@kubewright/runtime';
import { DNSZoneController } from './controllers/dns-zone-controller.js';

const manager = new Manager({ leaderElection: 'cluster-operator' });
manager.add(DNSZoneController);
await manager.start();
