import type { ApiObject, JsonDraft } from '../../registry/objects/api-object.js';
import { numberAt, objectsAt } from '../../registry/objects/json-object.js';

/**
 * Returns the DisruptionAllowed condition of a PodDisruptionBudget with the given status. If the number of expected Pods is unknown,
 * `failure` is the message of the condition.
 */
export function disruptionAllowed(
  budget: ApiObject,
  status: JsonDraft,
  { now, failure }: { readonly now: string; readonly failure?: string | undefined },
): JsonDraft {
  const enough = (numberAt(status, 'disruptionsAllowed') ?? 0) > 0;
  const value = enough ? 'True' : 'False';
  const reason = enough ? 'SufficientPods' : 'InsufficientPods';
  const before = objectsAt(budget, 'status', 'conditions').find(({ type }) => type === 'DisruptionAllowed');
  const { observedGeneration } = status;
  return {
    type: 'DisruptionAllowed',
    status: value,
    reason: failure === undefined ? reason : 'SyncFailed',
    message: failure ?? '',
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    lastTransitionTime: before?.['status'] === value ? before['lastTransitionTime'] : now,
  };
}
