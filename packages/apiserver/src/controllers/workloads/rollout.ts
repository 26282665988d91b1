import { type ApiObject, numberAt, stringAt, valueAt } from '../../registry/json-object.js';

/** How many Pods a rollout may have too many and too few. */
export interface RolloutLimits {
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** The limits of a Deployment in Pods; shares are rounded up for the surge and down for what may be missing. */
export function rolloutLimits(deployment: ApiObject): RolloutLimits {
  const replicas = numberAt(deployment, 'spec', 'replicas') ?? 1;
  const rolling = valueAt(deployment, 'spec', 'strategy', 'rollingUpdate');
  const maxSurge = amount(valueAt(rolling, 'maxSurge'), replicas, Math.ceil);
  const maxUnavailable = amount(valueAt(rolling, 'maxUnavailable'), replicas, Math.floor);
  // With neither the rollout could not move.
  return { replicas, maxSurge, maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable };
}

/** The next size of each ReplicaSet of a rolling update, by name; sets that stay as they are are left out. */
export function rollingUpdateSizes(
  deployment: ApiObject,
  { current, old }: { readonly current: ApiObject; readonly old: readonly ApiObject[] },
): ReadonlyMap<string, number> {
  const { replicas, maxSurge, maxUnavailable } = rolloutLimits(deployment);
  const sizes = new Map<string, number>();
  const total = [current, ...old].reduce((sum, set) => sum + size(set), 0);
  if (size(current) > replicas) sizes.set(current.metadata.name, replicas);
  if (size(current) < replicas) {
    const room = Math.max(0, replicas + maxSurge - total);
    const grown = Math.min(replicas, size(current) + room);
    if (grown !== size(current)) sizes.set(current.metadata.name, grown);
  }
  const available = [current, ...old].reduce(
    (sum, set) => sum + (numberAt(set, 'status', 'availableReplicas') ?? 0),
    0,
  );
  let spare = available - (replicas - maxUnavailable);
  for (const set of old) {
    const unavailable = size(set) - (numberAt(set, 'status', 'availableReplicas') ?? 0);
    const cut = Math.min(size(set), Math.max(0, unavailable) + Math.max(0, spare));
    if (cut === 0) continue;
    sizes.set(set.metadata.name, size(set) - cut);
    spare -= Math.max(0, cut - Math.max(0, unavailable));
  }
  return sizes;
}

/** The sizes of an update that stops everything old before anything new. */
export function recreateSizes(
  deployment: ApiObject,
  {
    current,
    old,
    oldPods,
  }: { readonly current: ApiObject; readonly old: readonly ApiObject[]; readonly oldPods: number },
): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const set of old) if (size(set) > 0) sizes.set(set.metadata.name, 0);
  const { replicas } = rolloutLimits(deployment);
  if (oldPods === 0 && size(current) !== replicas) sizes.set(current.metadata.name, replicas);
  return sizes;
}

/** How many Pods a ReplicaSet asks for. */
export function size(replicaSet: ApiObject): number {
  return numberAt(replicaSet, 'spec', 'replicas') ?? 0;
}

/** Whether the Deployment stops everything old before anything new. */
export function isRecreate(deployment: ApiObject): boolean {
  return stringAt(deployment, 'spec', 'strategy', 'type') === 'Recreate';
}

function amount(value: unknown, replicas: number, round: (share: number) => number): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return 0;
  return value.endsWith('%') ? round((Number(value.slice(0, -1)) * replicas) / 100) : Number(value);
}
