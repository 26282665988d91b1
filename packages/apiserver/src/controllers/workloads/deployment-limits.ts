import { type ApiObject, numberAt, stringAt, valueAt } from '../../registry/json-object.js';
import { scaledAmount } from './scaled-amount.js';

/** How many Pods a Deployment wants, and how many a rollout may have too many and too few. */
export interface DeploymentLimits {
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** The limits of a Deployment in Pods; shares are rounded up for the surge and down for what may be missing. */
export function deploymentLimits(deployment: ApiObject): DeploymentLimits {
  const replicas = numberAt(deployment, 'spec', 'replicas') ?? 1;
  if (isRecreate(deployment)) return { replicas, maxSurge: 0, maxUnavailable: 0 };
  const rolling = valueAt(deployment, 'spec', 'strategy', 'rollingUpdate');
  const maxSurge = scaledAmount(valueAt(rolling, 'maxSurge'), replicas, Math.ceil);
  const unavailable = scaledAmount(valueAt(rolling, 'maxUnavailable'), replicas, Math.floor);
  // With neither the rollout could not move.
  const maxUnavailable = maxSurge === 0 && unavailable === 0 ? 1 : unavailable;
  return { replicas, maxSurge, maxUnavailable: Math.min(maxUnavailable, replicas) };
}

/** Whether the Deployment stops everything old before anything new. */
export function isRecreate(deployment: ApiObject): boolean {
  return stringAt(deployment, 'spec', 'strategy', 'type') === 'Recreate';
}

/** How many Pods a ReplicaSet asks for. */
export function size(replicaSet: ApiObject): number {
  return numberAt(replicaSet, 'spec', 'replicas') ?? 1;
}

/** A number of the status of each ReplicaSet, added up. */
export function total(sets: readonly (ApiObject | undefined)[], field: string): number {
  return sets.reduce((sum, set) => sum + (numberAt(set, 'status', field) ?? 0), 0);
}

/** The size of the newest ReplicaSet that the limits of the Deployment allow now. */
export function newSetSize(
  deployment: ApiObject,
  { current, old }: { readonly current: ApiObject | undefined; readonly old: readonly ApiObject[] },
): number {
  const { replicas, maxSurge } = deploymentLimits(deployment);
  if (isRecreate(deployment)) return replicas;
  const now = current === undefined ? 0 : size(current);
  const room = replicas + maxSurge - now - old.reduce((sum, set) => sum + size(set), 0);
  return room <= 0 ? now : now + Math.min(room, replicas - now);
}
