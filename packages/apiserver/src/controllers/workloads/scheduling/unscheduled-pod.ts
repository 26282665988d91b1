import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { withCondition, withoutCondition } from '../../objects/condition-list.js';
import { isFinished } from '../../objects/pod-state.js';

/** Returns whether a Pod waits for this scheduler to find a node. */
export function isWaiting(pod: ApiObject): boolean {
  return (
    stringAt(pod, 'spec', 'nodeName') === '' &&
    stringAt(pod, 'spec', 'schedulerName') === 'default-scheduler' &&
    pod.metadata.deletionTimestamp === undefined &&
    objectsAt(pod, 'spec', 'schedulingGates').length === 0 &&
    !isFinished(pod)
  );
}

/** Returns the Pod with the name of its node and the condition PodScheduled, and without a nominated node. */
export function bound(pod: ApiObject, { node, now }: { readonly node: string; readonly now: string }): ApiObject {
  const { nominatedNodeName: _, ...status } = objectAt(pod, 'status');
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  return {
    ...pod,
    spec: { ...objectAt(pod, 'spec'), nodeName: node },
    status: { ...status, conditions: [...otherConditions(pod), scheduled] },
  };
}

/** Returns the Pod with the reason why it does not fit on any node, and with the node that it is nominated for after a preemption. */
export function refused(
  pod: ApiObject,
  { message, nominated, now }: { readonly message: string; readonly nominated: string; readonly now: string },
): ApiObject {
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message } as const;
  const [made] = withCondition([], condition, { now });
  const { generation } = pod.metadata;
  const conditions = [...otherConditions(pod), { lastProbeTime: null, observedGeneration: generation, ...made }];
  const { nominatedNodeName: _, ...status } = objectAt(pod, 'status');
  return { ...pod, status: { ...status, ...(nominated && { nominatedNodeName: nominated }), conditions } };
}

function otherConditions(pod: ApiObject) {
  return withoutCondition(objectsAt(pod, 'status', 'conditions'), 'PodScheduled');
}
