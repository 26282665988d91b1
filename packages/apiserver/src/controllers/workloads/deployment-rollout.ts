import { type ApiObject, copyJson, type JsonDraft, madeAt, numberAt } from '../../registry/json-object.js';
import { deploymentLimits, newSetSize, size, total } from './deployment-limits.js';
import { currentSet, revisionOf, sizeAnnotations } from './deployment-revisions.js';
import { isComplete } from './deployment-status.js';
import { byAge, type DeploymentWork } from './deployment-work.js';
import { isFinished } from './pod-state.js';

/** One step of a rolling update: the new ReplicaSet grows, or else the old ones shrink. */
export function rollOut(work: DeploymentWork): void {
  const current = currentSet(work, { create: true });
  if (current === undefined) return;
  const { replicas } = deploymentLimits(work.deployment);
  const old = work.old();
  const next = size(current) > replicas ? replicas : newSetSize(work.deployment, { current, old });
  if (size(current) !== replicas && resize(work, current, next)) return;
  if (!shrinkOld(work, current, old) && isComplete(work.deployment)) forgetOldRevisions(work);
}

/** One step of an update that stops everything old before anything new. */
export function recreate(work: DeploymentWork): void {
  const current = currentSet(work, { create: false });
  const active = work.old().filter((set) => size(set) > 0);
  for (const set of active) resize(work, set, 0);
  if (active.length > 0 || isOldRunning(work)) return;
  const made = current ?? currentSet(work, { create: true });
  if (made === undefined) return;
  resize(work, made, deploymentLimits(work.deployment).replicas);
  if (isComplete(work.deployment)) forgetOldRevisions(work);
}

/** Gives a ReplicaSet another size, and tells of it; whether that was necessary. */
export function resize(work: DeploymentWork, set: ApiObject, replicas: number): boolean {
  const before = size(set);
  if (before === replicas) return false;
  setSize(work, set, replicas);
  const way = before < replicas ? 'up' : 'down';
  const message = `Scaled ${way} replica set ${set.metadata.name} from ${before} to ${replicas}`;
  work.say('Normal', 'ScalingReplicaSet', message);
  return true;
}

/** Writes the size of a ReplicaSet and of its Deployment to it. */
export function setSize(work: DeploymentWork, set: ApiObject, replicas: number): void {
  work.updateSet(set, (live) => {
    const next = copyJson(live) as unknown as JsonDraft;
    madeAt(next, 'spec')['replicas'] = replicas;
    Object.assign(madeAt(next, 'metadata', 'annotations'), sizeAnnotations(work.deployment));
    return next;
  });
}

/** Deletes the oldest ReplicaSets that are empty, as far as they are more than the history may have. */
export function forgetOldRevisions(work: DeploymentWork): void {
  const limit = numberAt(work.deployment, 'spec', 'revisionHistoryLimit') ?? 10;
  const kept = work.old().filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const surplus = kept.toSorted((a, b) => revisionOf(a) - revisionOf(b) || byAge(a, b));
  for (const set of surplus.slice(0, Math.max(0, kept.length - limit))) {
    const observed = (numberAt(set, 'status', 'observedGeneration') ?? 0) >= (set.metadata.generation ?? 0);
    if (total([set], 'replicas') === 0 && size(set) === 0 && observed) work.deleteSet(set);
  }
}

function shrinkOld(work: DeploymentWork, current: ApiObject, old: readonly ApiObject[]): boolean {
  const { replicas, maxUnavailable } = deploymentLimits(work.deployment);
  const active = old.filter((set) => size(set) > 0);
  if (active.length === 0) return false;
  const least = replicas - maxUnavailable;
  const all = [...active, current].reduce((sum, set) => sum + size(set), 0);
  let budget = all - least - (size(current) - total([current], 'availableReplicas'));
  if (budget <= 0) return false;
  let shrunk = false;
  const shrink = (set: ApiObject, count: number): ApiObject => {
    if (count <= 0 || !resize(work, set, size(set) - count)) return set;
    shrunk = true;
    return work.findSet(set.metadata.name) ?? set;
  };
  // Those that do not serve anyway go first.
  const healthy = active.map((set) => {
    const count = Math.min(Math.max(0, budget), Math.max(0, size(set) - total([set], 'availableReplicas')));
    budget -= count;
    return shrink(set, count);
  });
  let spare = total([...healthy, current], 'availableReplicas') - least;
  for (const set of healthy) {
    const count = Math.min(size(set), Math.max(0, spare));
    spare -= count;
    shrink(set, count);
  }
  return shrunk;
}

function isOldRunning(work: DeploymentWork): boolean {
  const old = work.old();
  return total(old, 'replicas') > 0 || old.some((set) => work.podsOf(set).some((pod) => !isFinished(pod)));
}
