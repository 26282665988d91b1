// An operator that owns its process and never ends by itself: its runnable ignores the abort signal, and a timer keeps the process alive.
import { Manager } from '@kubewright/runtime';

const manager = new Manager({
  leaderElection: { name: process.argv[2] ?? '', namespace: 'default', retryPeriod: '50ms' },
  settings: false,
});
manager.add({ name: 'deaf', run: () => new Promise(() => setInterval(() => undefined, 60_000)) });
await manager.start();
await manager.elected;
process.stdout.write('leading\n');
await new Promise(() => undefined);
