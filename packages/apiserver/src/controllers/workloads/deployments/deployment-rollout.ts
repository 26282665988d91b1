import type { Steps } from '@kubewright/api/apply';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { numberAt, objectAt } from '../../../registry/objects/json-object.js';
import { deploymentLimits, newSetSize, size, total } from './deployment-limits.js';
import { currentSet, revisionOf, sizeAnnotations } from './deployment-revisions.js';
import { isComplete } from './deployment-status.js';
import { byAge, type DeploymentWork } from './deployment-work.js';
import { isFinished } from '../../objects/pod-state.js';

/**
 * Performs one step of a rolling update: resizes the new ReplicaSet or, if its size does not change, scales down the old ReplicaSets.
 * Deletes surplus old ReplicaSets after the rollout.
 */
export function* rollOut(work: DeploymentWork): Steps<void> {
  yield* currentSet(work, { create: true });
  const { current, old } = yield* work.sets();
  if (current === undefined) return;
  const { replicas } = deploymentLimits(work.deployment);
  const next = size(current) > replicas ? replicas : newSetSize(work.deployment, { current, old });
  if (size(current) !== replicas && (yield* resize(work, current, next))) return;
  if (!(yield* shrinkOld(work, current, old)) && isComplete(work.deployment)) yield* forgetOldRevisions(work);
}

/** Performs one step of an update that deletes all old Pods before it creates new Pods. */
export function* recreate(work: DeploymentWork): Steps<void> {
  const current = yield* currentSet(work, { create: false });
  const { old } = yield* work.sets();
  const active = old.filter((set) => size(set) > 0);
  for (const set of active) yield* resize(work, set, 0);
  if (active.length > 0 || isOldRunning(work, old)) return;
  const made = current ?? (yield* currentSet(work, { create: true }));
  if (made === undefined) return;
  yield* resize(work, made, deploymentLimits(work.deployment).replicas);
  if (isComplete(work.deployment)) yield* forgetOldRevisions(work);
}

/** Resizes a ReplicaSet and records an Event. Returns whether the size has changed. */
export function* resize(work: DeploymentWork, set: ApiObject, replicas: number): Steps<boolean> {
  const before = size(set);
  if (before === replicas) return false;
  yield* setSize(work, set, replicas);
  const way = before < replicas ? 'up' : 'down';
  const message = `Scaled ${way} replica set ${set.metadata.name} from ${before} to ${replicas}`;
  work.say('Normal', 'ScalingReplicaSet', message);
  return true;
}

/** Writes the new size and the size annotations of a ReplicaSet. */
export function setSize(work: DeploymentWork, set: ApiObject, replicas: number): Steps<ApiObject> {
  return work.updateSet(set, (live) => ({
    ...live,
    metadata: { ...live.metadata, annotations: { ...live.metadata.annotations, ...sizeAnnotations(work.deployment) } },
    spec: { ...objectAt(live, 'spec'), replicas },
  }));
}

/** Deletes the oldest ReplicaSets beyond the history limit. Does not delete a ReplicaSet that still has Pods. */
export function* forgetOldRevisions(work: DeploymentWork): Steps<void> {
  const limit = numberAt(work.deployment, 'spec', 'revisionHistoryLimit') ?? 10;
  const { old } = yield* work.sets();
  const kept = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const surplus = kept.toSorted(byRevision);
  for (const set of surplus.slice(0, Math.max(0, kept.length - limit))) {
    const observed = (numberAt(set, 'status', 'observedGeneration') ?? 0) >= (set.metadata.generation ?? 0);
    if (total([set], 'replicas') === 0 && size(set) === 0 && observed) yield* work.deleteSet(set);
  }
}

function byRevision(a: ApiObject, b: ApiObject): number {
  const [left, right] = [revisionOf(a), revisionOf(b)];
  return left === undefined || right === undefined || left === right ? byAge(a, b) : left < right ? -1 : 1;
}

function* shrinkOld(work: DeploymentWork, current: ApiObject, old: readonly ApiObject[]): Steps<boolean> {
  const { replicas, maxUnavailable } = deploymentLimits(work.deployment);
  const active = old.filter((set) => size(set) > 0);
  if (active.length === 0) return false;
  const least = replicas - maxUnavailable;
  const all = [...active, current].reduce((sum, set) => sum + size(set), 0);
  let budget = all - least - (size(current) - total([current], 'availableReplicas'));
  if (budget <= 0) return false;
  let shrunk = false;
  const shrink = function* (set: ApiObject, count: number): Steps<ApiObject> {
    if (count <= 0 || !(yield* resize(work, set, size(set) - count))) return set;
    shrunk = true;
    return work.findSet(set.metadata.name) ?? set;
  };
  // Unhealthy Pods are removed first.
  const healthy: ApiObject[] = [];
  for (const set of active) {
    const count = Math.min(Math.max(0, budget), Math.max(0, size(set) - total([set], 'availableReplicas')));
    budget -= count;
    healthy.push(yield* shrink(set, count));
  }
  let spare = total([...healthy, current], 'availableReplicas') - least;
  for (const set of healthy) {
    const count = Math.min(size(set), Math.max(0, spare));
    spare -= count;
    yield* shrink(set, count);
  }
  return shrunk;
}

function isOldRunning(work: DeploymentWork, old: readonly ApiObject[]): boolean {
  return total(old, 'replicas') > 0 || old.some((set) => work.podsOf(set).some((pod) => !isFinished(pod)));
}
