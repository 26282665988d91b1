import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { numberAt, objectAt, objectsAt } from '../../../registry/objects/json-object.js';
import { timestamp } from '../../../registry/metadata/metadata-rules.js';

/** The current state of a ReplicaSet or a ReplicationController. */
export interface ReplicaState {
  readonly active: readonly ApiObject[];
  /** The number of Pods that are being deleted, or undefined if the kind does not report this number. */
  readonly terminating: number | undefined;
  readonly counts: { readonly ready: number; readonly available: number };
  /** The reason why Pods could not be created or deleted. */
  readonly failure: string | undefined;
  readonly now: Date;
}

/** Returns the ReplicaSet or ReplicationController with the status that results from its Pods. */
export function withReplicaStatus(live: ApiObject, state: ReplicaState): unknown {
  const { active, terminating, counts } = state;
  const labels = Object.entries(objectAt(live, 'spec', 'template', 'metadata', 'labels'));
  const labelled = active.filter(({ metadata }) => labels.every(([name, value]) => metadata.labels?.[name] === value));
  const status: JsonDraft = { replicas: active.length, observedGeneration: live.metadata.generation };
  if (labelled.length > 0) status['fullyLabeledReplicas'] = labelled.length;
  if (counts.ready > 0) status['readyReplicas'] = counts.ready;
  if (counts.available > 0) status['availableReplicas'] = counts.available;
  if (terminating !== undefined) status['terminatingReplicas'] = terminating;
  const conditions = conditionsOf(live, state);
  if (conditions.length > 0) status['conditions'] = conditions;
  return { ...live, status };
}

function conditionsOf(live: ApiObject, { active, failure, now }: ReplicaState): readonly JsonDraft[] {
  const known = objectsAt(live, 'status', 'conditions');
  const others = known.filter(({ type }) => type !== 'ReplicaFailure');
  if (failure === undefined) return others;
  if (others.length < known.length) return known;
  const tooFew = active.length < (numberAt(live, 'spec', 'replicas') ?? 1);
  const condition = {
    type: 'ReplicaFailure',
    status: 'True',
    reason: tooFew ? 'FailedCreate' : 'FailedDelete',
    message: failure,
    lastTransitionTime: timestamp(now),
  };
  return [...others, condition];
}
