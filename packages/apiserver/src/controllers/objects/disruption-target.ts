import type { ApiObject } from '../../registry/objects/api-object.js';
import { objectAt, objectsAt } from '../../registry/objects/json-object.js';
import { withoutCondition } from './condition-list.js';

/** Returns the Pod with the condition that it is about to be deleted because of a disruption. */
export function withDisruptionTarget(
  pod: ApiObject,
  { reason, message, now }: { readonly reason: string; readonly message: string; readonly now: string },
): ApiObject {
  const { generation } = pod.metadata;
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    lastProbeTime: null,
    lastTransitionTime: now,
    reason,
    message,
  };
  const conditions = [...withoutCondition(objectsAt(pod, 'status', 'conditions'), condition.type), condition];
  return { ...pod, status: { ...objectAt(pod, 'status'), conditions } };
}
