import type { ApiObject } from '../../../registry/objects/api-object.js';
import { numberAt, stringAt, valueAt } from '../../../registry/objects/json-object.js';
import { scaledAmount } from '../../objects/scaled-amount.js';

/** The desired replicas of a Deployment, and the limits of a rollout for surplus and unavailable Pods. */
export interface DeploymentLimits {
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** Returns the limits of a Deployment in Pods. Percentages are rounded up for the surge and down for unavailable Pods. */
export function deploymentLimits(deployment: ApiObject): DeploymentLimits {
  const replicas = numberAt(deployment, 'spec', 'replicas') ?? 1;
  if (isRecreate(deployment)) return { replicas, maxSurge: 0, maxUnavailable: 0 };
  const rolling = valueAt(deployment, 'spec', 'strategy', 'rollingUpdate');
  const maxSurge = scaledAmount(valueAt(rolling, 'maxSurge'), replicas, Math.ceil);
  const unavailable = scaledAmount(valueAt(rolling, 'maxUnavailable'), replicas, Math.floor);
  // If both limits are 0, the rollout cannot make progress.
  const maxUnavailable = maxSurge === 0 && unavailable === 0 ? 1 : unavailable;
  return { replicas, maxSurge, maxUnavailable: Math.min(maxUnavailable, replicas) };
}

/** Returns whether the Deployment deletes all old Pods before it creates new Pods. */
export function isRecreate(deployment: ApiObject): boolean {
  return stringAt(deployment, 'spec', 'strategy', 'type') === 'Recreate';
}

/** Returns the desired replicas of a ReplicaSet. */
export function size(replicaSet: ApiObject): number {
  return numberAt(replicaSet, 'spec', 'replicas') ?? 1;
}

/** Returns the sum of a status field over the ReplicaSets. */
export function total(sets: readonly (ApiObject | undefined)[], field: string): number {
  return sets.reduce((sum, set) => sum + (numberAt(set, 'status', field) ?? 0), 0);
}

/** Returns the size that the limits of the Deployment currently allow for the newest ReplicaSet. */
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
