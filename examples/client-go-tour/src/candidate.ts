// One of the processes that compete for a Lease. leader-election.ts runs three of them.
import { Manager } from '@kubewright/runtime';

const [, , identity = 'candidate', name = 'client-go-tour'] = process.argv;
const manager = new Manager({
  leaderElection: {
    name,
    namespace: 'default',
    identity,
    duration: '2s',
    renewDeadline: '1500ms',
    retryPeriod: '400ms',
  },
  logLevel: 'error',
});
// Runnables run only on the leader by default.
manager.add({
  name: 'work',
  run: async () => {
    if (process.send) process.send('leading');
    else console.log(`${identity} is the leader`);
  },
});
// The process exits when its parent exits. The channel to the parent does not keep the process alive.
process.once('disconnect', () => process.exit());
process.channel?.unref();
await manager.start();
