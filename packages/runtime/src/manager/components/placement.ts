import type { ServedEndpoint } from '../../serving/served-endpoint.js';
import { aborted } from '../../waiting/aborted.js';
import type { Cluster } from '../cluster/cluster.js';
import type { Placed } from '../lifecycle/runnable-groups.js';
import type { Runnable } from './runnable.js';

/**
 * Places a runnable in its group: `others` if `leaderOnly` is false, otherwise `leader`. Adds the warm-up, if any, to the group `warmUp`.
 */
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

/** Places another cluster. The connection of the cluster closes after the components that may read the cluster have ended. */
export function placedCluster(name: string, cluster: Cluster): Placed {
  const run = async (signal: AbortSignal): Promise<void> => {
    await aborted(signal);
    await cluster[Symbol.asyncDispose]();
  };
  return { group: 'caches', member: { name, run } };
}

/** Places an endpoint. The endpoint listens before the other groups start, and closes after the other groups have ended. */
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
