import type { Steps } from '@kubewright/api/apply';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { numberAt } from '../../../registry/objects/json-object.js';
import { deploymentLimits, isRecreate, size, total } from './deployment-limits.js';
import { desiredOf, mostOf } from './deployment-revisions.js';
import { resize, setSize } from './deployment-rollout.js';
import { byAge, type DeploymentWork } from './deployment-work.js';

/** Returns whether the size of the Deployment has changed since its ReplicaSets were last scaled. */
export function isScaled(work: DeploymentWork): boolean {
  const { replicas } = deploymentLimits(work.deployment);
  return work.all().some((set) => size(set) > 0 && (desiredOf(set) ?? replicas) !== replicas);
}

/**
 * Scales the ReplicaSets to a new size of the Deployment. If at most one ReplicaSet has Pods, scales only this or the newest ReplicaSet. If
 * all Pods of the newest ReplicaSet are available, scales the old ReplicaSets to 0. During a rolling update, scales all ReplicaSets
 * proportionally.
 */
export function* scale(work: DeploymentWork): Steps<void> {
  const { replicas, maxSurge } = deploymentLimits(work.deployment);
  const { all, current, old } = yield* work.sets();
  const active = all.filter((set) => size(set) > 0);
  const only = active.length > 1 ? undefined : (active[0] ?? current ?? old.at(-1));
  if (only !== undefined) {
    yield* resize(work, only, replicas);
    return;
  }
  if (active.length === 0) return;
  if (current !== undefined && isSaturated(current, replicas)) {
    for (const set of active) if (set.metadata.uid !== current.metadata.uid) yield* resize(work, set, 0);
    return;
  }
  if (isRecreate(work.deployment)) return;
  const allowed = replicas > 0 ? replicas + maxSurge : 0;
  const sizes = shares(work.deployment, active, allowed - active.reduce((sum, set) => sum + size(set), 0));
  for (const [set, next] of sizes) if (!(yield* resize(work, set, next))) yield* setSize(work, set, next);
}

/** Returns the sizes of ReplicaSets after the given number of Pods is added or removed, in proportion to their sizes. */
function shares(deployment: ApiObject, active: readonly ApiObject[], toAdd: number): ReadonlyMap<ApiObject, number> {
  const newestFirst = (a: ApiObject, b: ApiObject): number => size(b) - size(a) || byAge(b, a);
  const oldestFirst = (a: ApiObject, b: ApiObject): number => size(b) - size(a) || byAge(a, b);
  const sorted = active.toSorted(toAdd > 0 ? newestFirst : oldestFirst);
  let added = 0;
  const sizes = new Map<ApiObject, number>();
  for (const set of sorted) {
    const fraction = toAdd === 0 || toAdd === added ? 0 : fractionOf(deployment, set);
    const share = toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
    sizes.set(set, size(set) + share);
    added += share;
  }
  const [first] = sorted;
  if (first !== undefined) sizes.set(first, Math.max(0, (sizes.get(first) ?? 0) + toAdd - added));
  return sizes;
}

function fractionOf(deployment: ApiObject, set: ApiObject): number {
  const { replicas, maxSurge } = deploymentLimits(deployment);
  if (replicas === 0) return -size(set);
  const before = mostOf(set) || (numberAt(deployment, 'status', 'replicas') ?? 0);
  if (before === 0) return 0;
  return Math.round((size(set) * (replicas + maxSurge)) / before) - size(set);
}

function isSaturated(current: ApiObject, replicas: number): boolean {
  return (
    size(current) === replicas && desiredOf(current) === replicas && total([current], 'availableReplicas') === replicas
  );
}
