import type { ServedEndpoint } from '../serving/served-endpoint.js';
import { aborted } from '../transport/aborted.js';
import type { Cluster } from './cluster/cluster.js';
import type { Placed } from './runnable-groups.js';
import type { Runnable } from './runnable.js';

/** Where a runnable goes: with the leader unless it says otherwise, and what warms it up besides. */
export function placedRunnable(name: string, runnable: Runnable): readonly Placed[] {
  const work: Placed = {
    group: runnable.leaderOnly === false ? 'others' : 'leader',
    member: {
      name,
      run: (signal) => runnable.run(signal),
      ...(runnable.ready !== undefined && { ready: async (signal: AbortSignal) => runnable.ready?.(signal) }),
    },
  };
  if (runnable.warmUp === undefined) return [work];
  const warmUp = async (signal: AbortSignal): Promise<void> => runnable.warmUp?.(signal);
  return [{ group: 'warmUp', member: { name: `warm-up of ${name}`, run: warmUp } }, work];
}

/** Another cluster is there before what may read it, and its connection ends after that. */
export function placedCluster(name: string, cluster: Cluster): Placed {
  const run = async (signal: AbortSignal): Promise<void> => {
    await aborted(signal);
    await cluster[Symbol.asyncDispose]();
  };
  return { group: 'caches', member: { name, run } };
}

/** An endpoint listens before all else is there, and after all else has ended. */
export function placedEndpoint(name: string, endpoint: ServedEndpoint): Placed {
  let listening: Promise<void> | undefined;
  const listen = (): Promise<void> => {
    listening ??= endpoint.listen();
    return listening;
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    await listen();
    await aborted(signal);
    await endpoint[Symbol.asyncDispose]();
  };
  return { group: 'servers', member: { name: `endpoint '${name}'`, ready: listen, run } };
}
