// An operator that owns its process, accepts flags, prints when it has started, and ends on a signal.
import { Manager } from '@kubewright/runtime';

const manager = new Manager({ logLevel: 'silent' });
manager.add({
  run: async (signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    process.stdout.write('runnable ended\n');
  },
});
if (process.argv[2] === 'failing') {
  manager.add({
    run: async (signal) => {
      await manager.elected;
      await new Promise((resolve) => setImmediate(resolve));
      if (!signal.aborted) throw new Error('broken');
    },
  });
}
await manager.start();
await manager.elected;
process.stdout.write('started\n');
