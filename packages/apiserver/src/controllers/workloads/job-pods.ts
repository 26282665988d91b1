import {
  type ApiObject,
  copyJson,
  type JsonDraft,
  madeAt,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
} from '../../registry/json-object.js';
import { completionIndexKey, indexOf, isIndexed } from './job-indexes.js';
import { podOf } from './pod-control.js';
import { isActive, isFinished } from './pod-state.js';

/** The finalizer that keeps a Pod of a Job until it is counted. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
const longestPrefix = 58;

/** Whether a Pod that is being deleted is only replaced, and counted as failed, once it has ended. */
export function replacesOnlyFailed(job: ApiObject): boolean {
  return (
    stringAt(job, 'spec', 'podReplacementPolicy') === 'Failed' ||
    objectAt(job, 'spec')['podFailurePolicy'] !== undefined
  );
}

/** Whether the Pod counts as failed. */
export function hasFailed(job: ApiObject, pod: ApiObject): boolean {
  if (stringAt(pod, 'status', 'phase') === 'Failed') return true;
  return !replacesOnlyFailed(job) && pod.metadata.deletionTimestamp !== undefined && !isFinished(pod);
}

/** Whether the Pod still has to be counted. */
export function isTracked({ metadata }: ApiObject): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) === true;
}

/** Whether the Pod has an index that the Job asks for, or needs none. */
export function hasValidIndex(job: ApiObject, pod: ApiObject): boolean {
  if (!isIndexed(job)) return true;
  const index = indexOf(pod);
  return index !== undefined && index < (numberAt(job, 'spec', 'completions') ?? 0);
}

/** The first indexes on which no Pod works and none has worked with success. */
export function missingIndexes(
  job: ApiObject,
  state: { readonly pods: readonly ApiObject[]; readonly completed: ReadonlySet<number>; readonly count: number },
): readonly number[] {
  const busy = new Set(state.pods.filter(isActive).map(indexOf));
  const all = Array.from({ length: numberAt(job, 'spec', 'completions') ?? 0 }, (_, index) => index);
  return all.filter((index) => !busy.has(index) && !state.completed.has(index)).slice(0, state.count);
}

/** A Pod of the Job, for an index when it has indexes. */
export function jobPod(job: ApiObject, index: number | undefined): JsonDraft {
  const pod = podOf(job, objectAt(job, 'spec', 'template'));
  const finalizers = Array.isArray(pod.metadata['finalizers']) ? pod.metadata['finalizers'] : [];
  pod.metadata['finalizers'] = [...finalizers.filter((name) => name !== trackingFinalizer), trackingFinalizer];
  if (index === undefined) return pod;
  const suffix = `-${index}-`;
  pod.metadata['generateName'] = `${job.metadata.name.slice(0, longestPrefix - suffix.length)}${suffix}`;
  madeAt(pod, 'metadata', 'annotations')[completionIndexKey] = String(index);
  madeAt(pod, 'metadata', 'labels')[completionIndexKey] = String(index);
  pod.spec['hostname'] = `${job.metadata.name}-${index}`;
  for (const container of [...objectsAt(pod.spec, 'initContainers'), ...objectsAt(pod.spec, 'containers')]) {
    const env = copyJson(objectsAt(container, 'env'));
    if (env.some(({ name }) => name === 'JOB_COMPLETION_INDEX')) continue;
    const fieldRef = { apiVersion: 'v1', fieldPath: `metadata.labels['${completionIndexKey}']` };
    container['env'] = [...env, { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef } }];
  }
  return pod;
}

/** When a Pod ended, in milliseconds. */
export function endedAtMs(pod: ApiObject): number {
  const times = objectsAt(pod, 'status', 'containerStatuses').map((status) =>
    Date.parse(stringAt(status, 'state', 'terminated', 'finishedAt')),
  );
  const last = times.filter((time) => !Number.isNaN(time)).reduce((latest, time) => Math.max(latest, time), -Infinity);
  if (Number.isFinite(last)) return last;
  return Date.parse(pod.metadata.deletionTimestamp ?? pod.metadata.creationTimestamp);
}
