import { type ApiObject, nameTable, numberAt, objectsAt, stringAt } from '../../registry/json-object.js';
import { conditionOf, isReady } from './pod-state.js';

const phases = nameTable({ Pending: 0, Unknown: 1, Running: 2 });

/**
 * The Pods with those first that are missed least: not on a node, not running, not ready, cheap to delete, ready for a
 * shorter time, restarted more often, younger.
 */
export function inOrderOfDeletion(pods: readonly ApiObject[], now: Date): readonly ApiObject[] {
  return pods.toSorted(
    (a, b) =>
      Number(onNode(a)) - Number(onNode(b)) ||
      phase(a) - phase(b) ||
      Number(isReady(a)) - Number(isReady(b)) ||
      cost(a) - cost(b) ||
      magnitude(readySince(a), now) - magnitude(readySince(b), now) ||
      restarts(b) - restarts(a) ||
      magnitude(a.metadata.creationTimestamp, now) - magnitude(b.metadata.creationTimestamp, now) ||
      (a.metadata.uid < b.metadata.uid ? -1 : 1),
  );
}

function onNode(pod: ApiObject): boolean {
  return stringAt(pod, 'spec', 'nodeName') !== '';
}

function phase(pod: ApiObject): number {
  return phases[stringAt(pod, 'status', 'phase')] ?? 0;
}

function cost({ metadata }: ApiObject): number {
  return Number(metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0);
}

function readySince(pod: ApiObject): string {
  return isReady(pod) ? stringAt(conditionOf(pod, 'Ready'), 'lastTransitionTime') : '';
}

function restarts(pod: ApiObject): number {
  return objectsAt(pod, 'status', 'containerStatuses').reduce(
    (most, status) => Math.max(most, numberAt(status, 'restartCount') ?? 0),
    0,
  );
}

/** Times that are about equally long ago count as the same, so that it is not always the youngest that go. */
function magnitude(time: string, now: Date): number {
  const ageMs = now.getTime() - Date.parse(time);
  return ageMs > 0 ? Math.floor(Math.log2(ageMs * 1e6)) : -1;
}
