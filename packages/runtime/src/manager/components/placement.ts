import type { ServedEndpoint } from '../../serving/served-endpoint.js';
import { aborted } from '../../waiting/aborted.js';
import type { Cluster } from '../cluster/cluster.js';
import type { Placed } from '../lifecycle/runnable-groups.js';
import type { Runnable } from './runnable.js';

/**
 * Returns the group members of a runnable. The runnable runs in the group `others` if `leaderOnly` is false, and otherwise in the group
 * `leader`. If the runnable has a warm-up, the warm-up runs in the group `warmUp`.
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

/**
 * Returns the group member of another cluster. The member runs in the group `caches`, which stops after all components that may use the
 * cluster. When the group stops, the member closes the connection of the cluster.
 */
export function placedCluster(name: string, cluster: Cluster): Placed {
  const run = async (signal: AbortSignal): Promise<void> => {
    await aborted(signal);
    await cluster[Symbol.asyncDispose]();
  };
  return { group: 'caches', member: { name, run } };
}

/**
 * Returns an endpoint as a member of its group. The endpoint starts to listen before the later groups start, and closes after these groups
 * have ended.
 */
export function placedEndpoint(
  name: string,
  endpoint: ServedEndpoint,
  group: 'servers' | 'webhooks' = 'servers',
): Placed {
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
  return { group, member: { name: `endpoint '${name}'`, ready: listen, run } };
}
