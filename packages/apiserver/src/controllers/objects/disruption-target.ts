import type { ApiObject } from '../../registry/objects/api-object.js';
import { objectAt, objectsAt } from '../../registry/objects/json-object.js';

/**
 * Returns the Pod with the condition that it is about to be deleted because of a disruption. If the Pod already has the condition, replaces
 * the reason and the message, and keeps the transition time.
 */
export function withDisruptionTarget(
  pod: ApiObject,
  { reason, message, now }: { readonly reason: string; readonly message: string; readonly now: string },
): ApiObject {
  const { generation } = pod.metadata;
  const conditions = objectsAt(pod, 'status', 'conditions');
  const known = conditions.find(({ type }) => type === 'DisruptionTarget');
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    lastProbeTime: null,
    lastTransitionTime: known?.['status'] === 'True' ? known['lastTransitionTime'] : now,
    reason,
    message,
  };
  const all =
    known === undefined ? [...conditions, condition] : conditions.map((each) => (each === known ? condition : each));
  return { ...pod, status: { ...objectAt(pod, 'status'), conditions: all } };
}
