import type { ApiObject } from '../../../registry/objects/api-object.js';
import { nameTable, numberAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { conditionOf, isActive, isReady, nodeOf } from '../../objects/pod-state.js';

const phases = nameTable({ Pending: 0, Unknown: 1, Running: 2 });

/**
 * Returns the Pods in the order of deletion. The first criterion by which two Pods differ determines their order. These Pods come first:
 * - Pods that are not assigned to a node
 * - Pods that are not running
 * - Pods that are not ready
 * - Pods with a lower deletion cost, if `related` is set
 * - Pods on a node with more active Pods of `related`, if `related` is set
 * - Pods that became ready later
 * - Pods that were restarted more often
 * - Pods that were created later
 */
export function inOrderOfDeletion(
  pods: readonly ApiObject[],
  { now, related }: { readonly now: Date; readonly related?: readonly ApiObject[] },
): readonly ApiObject[] {
  const neighbors = new Map<string, number>();
  for (const pod of related ?? []) {
    if (isActive(pod)) neighbors.set(nodeOf(pod), (neighbors.get(nodeOf(pod)) ?? 0) + 1);
  }
  const neighborsOf = (pod: ApiObject): number => neighbors.get(nodeOf(pod)) ?? 0;
  return pods.toSorted(
    (a, b) =>
      Number(nodeOf(a) !== '') - Number(nodeOf(b) !== '') ||
      phase(a) - phase(b) ||
      Number(isReady(a)) - Number(isReady(b)) ||
      (related === undefined ? 0 : cost(a) - cost(b) || neighborsOf(b) - neighborsOf(a)) ||
      magnitude(readySince(a), now) - magnitude(readySince(b), now) ||
      restarts(b) - restarts(a) ||
      magnitude(a.metadata.creationTimestamp, now) - magnitude(b.metadata.creationTimestamp, now) ||
      (a.metadata.uid < b.metadata.uid ? -1 : 1),
  );
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

/** Returns the order of magnitude of an age. Similar ages count as equal, so that the youngest Pods are not always deleted first. */
function magnitude(time: string, now: Date): number {
  const ageMs = now.getTime() - Date.parse(time);
  return ageMs > 0 ? Math.floor(Math.log2(ageMs * 1e6)) : -1;
}
