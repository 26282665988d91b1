import type { ApiObject, JsonDraft } from '../../registry/objects/api-object.js';
import { objectsAt, stringAt } from '../../registry/objects/json-object.js';

/** Returns the name of the node of the Pod, or '' if the Pod is not scheduled. */
export function nodeOf(pod: ApiObject): string {
  return stringAt(pod, 'spec', 'nodeName');
}

/** Returns whether the Pod has succeeded or failed. */
export function isFinished(pod: ApiObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed';
}

/** Returns whether the Pod counts as a replica: neither finished nor being deleted. */
export function isActive(pod: ApiObject): boolean {
  return pod.metadata.deletionTimestamp === undefined && !isFinished(pod);
}

/** Returns whether the Pod is being deleted and has not finished yet. */
export function isTerminating(pod: ApiObject): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isFinished(pod);
}

/** Returns the condition of a type, if any. */
export function conditionOf(object: unknown, type: string): JsonDraft | undefined {
  return objectsAt(object, 'status', 'conditions').find((condition) => condition['type'] === type);
}

/** Returns whether the Pod is ready. */
export function isReady(pod: ApiObject): boolean {
  return conditionOf(pod, 'Ready')?.['status'] === 'True';
}

/** Returns the milliseconds until a ready Pod counts as available, or undefined for a Pod that is not ready. */
export function availableInMs(
  pod: ApiObject,
  { minReadySeconds, now }: { readonly minReadySeconds: number; readonly now: Date },
): number | undefined {
  const ready = conditionOf(pod, 'Ready');
  if (ready?.['status'] !== 'True') return undefined;
  if (minReadySeconds === 0) return 0;
  const since = Date.parse(stringAt(ready, 'lastTransitionTime'));
  return Math.max(0, since + minReadySeconds * 1000 - now.getTime());
}

/**
 * Returns the numbers of ready and available Pods, and the milliseconds until the next ready Pod becomes available. The milliseconds are
 * undefined if all ready Pods are available.
 */
export function readiness(
  pods: readonly ApiObject[],
  window: { readonly minReadySeconds: number; readonly now: Date },
): { readonly ready: number; readonly available: number; readonly nextInMs: number | undefined } {
  const delays = pods.map((pod) => availableInMs(pod, window)).filter((delay) => delay !== undefined);
  const waiting = delays.filter((delay) => delay > 0);
  return {
    ready: delays.length,
    available: delays.length - waiting.length,
    nextInMs: waiting.length === 0 ? undefined : waiting.reduce((least, delay) => Math.min(least, delay)),
  };
}
