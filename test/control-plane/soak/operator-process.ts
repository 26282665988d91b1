// The operator of a soak, in a process of its own: it tells its parent how much heap it holds and how often it has reconciled.
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
// The channel to the parent would keep the process alive.
void manager.stopped.finally(() => {
  if (process.connected) process.disconnect();
});
process.send?.(sample());

function sample(): Sample {
  // The second one collects what the first has made unreachable.
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
