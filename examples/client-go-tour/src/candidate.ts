// One of the processes that contend for a Lease; leader-election.ts runs three.
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
// What is added runs on the leader alone, unless it says otherwise.
manager.add({
  name: 'work',
  run: async () => {
    if (process.send) process.send('leading');
    else console.log(`${identity} leads`);
  },
});
// It does not outlive who started it, nor live on for its sake.
process.once('disconnect', () => process.exit());
process.channel?.unref();
await manager.start();
