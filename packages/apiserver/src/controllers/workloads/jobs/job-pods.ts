import { type Steps, withBreak } from '@kubewright/api/apply';
import { isNotFound } from '@kubewright/api/errors';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { copyJson, madeAt, numberAt, objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import type { ControllerSetting } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { completionIndexKey, type IndexSet, indexOf, isIndexed } from './job-indexes.js';
import { podOf } from '../pods/pod-control.js';
import { isFinished } from '../../objects/pod-state.js';

/** The names of the Job controller for its writes and Events. */
export const jobController = { name: 'job-controller', component: 'job-controller' };
/** The finalizer that keeps a Pod of a Job until the Pod is counted. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
const longestPrefix = 58;

/** Returns whether a Pod that is being deleted must end before the controller replaces the Pod and counts the Pod as failed. */
export function replacesOnlyFailed(job: ApiObject): boolean {
  return (
    stringAt(job, 'spec', 'podReplacementPolicy') === 'Failed' ||
    objectAt(job, 'spec')['podFailurePolicy'] !== undefined
  );
}

/** Returns whether the Pod counts as failed. */
export function hasFailed(job: ApiObject, pod: ApiObject): boolean {
  if (stringAt(pod, 'status', 'phase') === 'Failed') return true;
  return !replacesOnlyFailed(job) && pod.metadata.deletionTimestamp !== undefined && !isFinished(pod);
}

/** Returns whether the Pod has the tracking finalizer, so that the Job must still count the Pod. */
export function isTracked({ metadata }: ApiObject): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) === true;
}

/** Returns whether the controller can remove the tracking finalizer from a Pod in the state `live`. */
type MayRelease = (live: ApiObject) => boolean;

/** Removes the tracking finalizer from a Pod if `mayRelease` permits this. Does nothing if the Pod no longer exists. */
export function* releasePod(
  { registry }: ControllerSetting,
  { metadata: key }: ApiObject,
  mayRelease: MayRelease = () => true,
): Steps<void> {
  const change = withBreak((live: ApiObject): unknown => {
    if (!mayRelease(live)) return live;
    const { finalizers = [], ...metadata } = live.metadata;
    const others = finalizers.filter((name) => name !== trackingFinalizer);
    return { ...live, metadata: { ...metadata, ...(others.length === 0 ? {} : { finalizers: others }) } };
  });
  try {
    yield* registry.builtIn('/v1/pods').updateSteps(key, change, controllerContext(jobController.name, 'patch'));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Returns whether the Pod has a valid index of the Job, or does not need an index. */
export function hasValidIndex(job: ApiObject, pod: ApiObject): boolean {
  if (!isIndexed(job)) return true;
  const index = indexOf(pod);
  return index !== undefined && index < (numberAt(job, 'spec', 'completions') ?? 0);
}

/** Returns the lowest indexes without an active or succeeded Pod, up to `count` indexes. */
export function missingIndexes(
  job: ApiObject,
  state: { readonly active: readonly ApiObject[]; readonly completed: IndexSet; readonly count: number },
): readonly number[] {
  const busy = new Set(state.active.map(indexOf));
  const missing: number[] = [];
  for (const index of state.completed.missing(numberAt(job, 'spec', 'completions') ?? 0)) {
    if (missing.length >= state.count) break;
    if (!busy.has(index)) missing.push(index);
  }
  return missing;
}

/** Returns a Pod of the Job, with the index if the Job is indexed. */
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

/**
 * Returns the time when a Pod ended, in milliseconds. If the status does not contain this time, returns the deletion time or the creation
 * time.
 */
export function endedAtMs(pod: ApiObject): number {
  const times = objectsAt(pod, 'status', 'containerStatuses').map((status) =>
    Date.parse(stringAt(status, 'state', 'terminated', 'finishedAt')),
  );
  const last = times.filter((time) => !Number.isNaN(time)).reduce((latest, time) => Math.max(latest, time), -Infinity);
  if (Number.isFinite(last)) return last;
  return Date.parse(pod.metadata.deletionTimestamp ?? pod.metadata.creationTimestamp);
}
