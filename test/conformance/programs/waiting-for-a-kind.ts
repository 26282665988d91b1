// An operator whose kind is not served, so that its start waits until the process receives a signal.
import { dynamicKind } from '@kubewright/api';
import { Manager, Result } from '@kubewright/runtime';

const manager = new Manager({ syncTimeout: false, log: { format: 'pretty' } });
manager.control({ for: dynamicKind('nowhere.example.com/v1', 'Missing'), name: 'missing' }, async () => Result.done());
await manager.start();
await manager.stopped;
