import type { Steps } from '@kubewright/api/apply';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { numberAt, objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { withCondition, withoutCondition } from '../../objects/condition-list.js';
import { deploymentLimits, size, total } from './deployment-limits.js';
import type { DeploymentWork, OwnSets } from './deployment-work.js';

/** Returns whether the status is of the current generation, and all Pods of the Deployment are updated and available. */
export function isComplete(deployment: ApiObject, status: JsonDraft = objectAt(deployment, 'status')): boolean {
  const { replicas } = deploymentLimits(deployment);
  const counts = ['updatedReplicas', 'replicas', 'availableReplicas'];
  const observed = (numberAt(status, 'observedGeneration') ?? 0) >= (deployment.metadata.generation ?? 0);
  return observed && counts.every((field) => (numberAt(status, field) ?? 0) === replicas);
}

/** Returns the status that results from the ReplicaSets of the Deployment, without the progress condition. */
export function* countedStatus(work: DeploymentWork): Steps<JsonDraft> {
  return statusOf(work, yield* work.sets());
}

function statusOf({ deployment, now }: DeploymentWork, { all: sets, current }: OwnSets): JsonDraft {
  const { replicas, maxUnavailable } = deploymentLimits(deployment);
  const available = total(sets, 'availableReplicas');
  const desired = sets.reduce((sum, set) => sum + size(set), 0);
  const counts = {
    replicas: total(sets, 'replicas'),
    updatedReplicas: total([current], 'replicas'),
    readyReplicas: total(sets, 'readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, desired - available),
  };
  const status: JsonDraft = { observedGeneration: deployment.metadata.generation };
  for (const [name, count] of Object.entries(counts)) if (count > 0) status[name] = count;
  const collisions = numberAt(deployment, 'status', 'collisionCount');
  if (collisions !== undefined) status['collisionCount'] = collisions;
  status['terminatingReplicas'] = total(sets, 'terminatingReplicas');
  const isAvailable = available >= replicas - maxUnavailable;
  const text = isAvailable
    ? { reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
    : { reason: 'MinimumReplicasUnavailable', message: 'Deployment does not have minimum availability.' };
  const condition = { type: 'Available', status: isAvailable ? 'True' : 'False', ...text } as const;
  const known = objectsAt(deployment, 'status', 'conditions');
  status['conditions'] = withCondition(known, condition, { now, updated: true });
  return status;
}

/**
 * Writes the status during a rollout, with the progress condition. Returns the milliseconds until the progress deadline, or undefined if no
 * deadline is pending.
 */
export function* writeRolloutStatus(work: DeploymentWork): Steps<number | undefined> {
  const sets = yield* work.sets();
  const status = statusOf(work, sets);
  const known = objectsAt(status, 'conditions');
  const progress = known.find(({ type }) => type === 'Progressing');
  const done =
    (status['replicas'] ?? 0) === (status['updatedReplicas'] ?? 0) && progress?.['reason'] === 'NewReplicaSetAvailable';
  if (!work.hasDeadline) status['conditions'] = withoutCondition(known, 'Progressing');
  else if (!done) status['conditions'] = withProgress(work, status, sets.current);
  status['conditions'] = withFailure(sets, objectsAt(status, 'conditions'));
  yield* work.writeStatus(status);
  return stuckInMs(work);
}

function withProgress(work: DeploymentWork, status: JsonDraft, current: ApiObject | undefined): readonly JsonDraft[] {
  const { deployment, now } = work;
  const known = objectsAt(status, 'conditions');
  const name = current?.metadata.name;
  const subject = name === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${name}"`;
  const times = { now, updated: true };
  const progressing = (value: 'True' | 'False', reason: string, what: string) =>
    ({ type: 'Progressing', status: value, reason, message: `${subject} ${what}` }) as const;
  if (isComplete(deployment, status)) {
    return withCondition(known, progressing('True', 'NewReplicaSetAvailable', 'has successfully progressed.'), times);
  }
  if (hasProgressed(deployment, status)) {
    const before = known.find(({ type }) => type === 'Progressing');
    const next = progressing('True', 'ReplicaSetUpdated', 'is progressing.');
    const lastTransitionTime = before?.['status'] === 'True' ? before['lastTransitionTime'] : now;
    return [...withoutCondition(known, 'Progressing'), { ...next, lastTransitionTime, lastUpdateTime: now }];
  }
  const left = stuckInMs(work);
  if (left === undefined || left > 0) return known;
  return withCondition(known, progressing('False', 'ProgressDeadlineExceeded', 'has timed out progressing.'), times);
}

function hasProgressed(deployment: ApiObject, status: JsonDraft): boolean {
  const before = (field: string): number => numberAt(deployment, 'status', field) ?? 0;
  const after = (field: string): number => numberAt(status, field) ?? 0;
  return (
    after('updatedReplicas') > before('updatedReplicas') ||
    after('replicas') - after('updatedReplicas') < before('replicas') - before('updatedReplicas') ||
    after('readyReplicas') > before('readyReplicas') ||
    after('availableReplicas') > before('availableReplicas')
  );
}

/** Returns the milliseconds until the progress deadline of a rollout, or undefined if no deadline is pending. */
function stuckInMs(work: DeploymentWork): number | undefined {
  const { deployment } = work;
  const progress = objectsAt(deployment, 'status', 'conditions').find(({ type }) => type === 'Progressing');
  const reason = progress?.['reason'];
  if (!work.hasDeadline || progress === undefined || isComplete(deployment)) return undefined;
  if (reason === 'ProgressDeadlineExceeded' || reason === 'NewReplicaSetAvailable') return undefined;
  const seconds = numberAt(deployment, 'spec', 'progressDeadlineSeconds') ?? 0;
  // One second is added, because timestamps do not have fractions of seconds.
  return Math.max(0, Date.parse(stringAt(progress, 'lastUpdateTime')) + (seconds + 1) * 1000 - Date.parse(work.now));
}

/**
 * Returns the conditions of a Deployment with the ReplicaFailure condition of its ReplicaSets. The condition of the current ReplicaSet has
 * precedence.
 */
function withFailure({ all, current }: OwnSets, known: readonly JsonDraft[]): readonly JsonDraft[] {
  const failureOf = (set: ApiObject | undefined): JsonDraft | undefined =>
    objectsAt(set, 'status', 'conditions').find(({ type }) => type === 'ReplicaFailure');
  const failure = failureOf(current) ?? all.map(failureOf).find((found) => found !== undefined);
  if (failure === undefined) return withoutCondition(known, 'ReplicaFailure');
  const before = known.find(({ type }) => type === 'ReplicaFailure');
  if (before?.['status'] === failure['status'] && before?.['reason'] === failure['reason']) return known;
  const lastUpdateTime = failure['lastTransitionTime'];
  return [...withoutCondition(known, 'ReplicaFailure'), { ...failure, lastUpdateTime }];
}
