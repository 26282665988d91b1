// The operator of a soak test, in its own process. Reports its heap size and its number of reconciles to the parent process.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Manager } from '@kubewright/runtime';
import { reconcileContext } from '@kubewright/testing';
import { GadgetController } from './gadget.js';
import type { Sample } from './sample.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const manager = new Manager({ logger: reconcileContext().log, settings: false }).add(GadgetController);
process.on('message', () => process.send?.(sample()));
process.once('disconnect', () => void manager.stop());
await manager.start();
// Otherwise the channel to the parent process would keep the process alive.
void manager.stopped.finally(() => {
  if (process.connected) process.disconnect();
});
process.send?.(sample());

function sample(): Sample {
  // The second collection frees objects that became unreachable only because of the first collection.
  collectGarbage();
  collectGarbage();
  const [stats] = manager.stats().values();
  return {
    heapBytes: process.memoryUsage().heapUsed,
    runs: stats?.runs ?? 0,
    errors: stats?.error ?? 0,
    waiting: manager.pending().length,
  };
}
