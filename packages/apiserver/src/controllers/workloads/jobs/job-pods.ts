import { type Steps, withBreak } from '@kubewright/api/apply';
import { isNotFound } from '@kubewright/api/errors';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { copyJson, madeAt, numberAt, objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import type { ControllerSetting } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { completionIndexKey, type IndexSet, indexOf, isIndexed } from './job-indexes.js';
import { inOrderOfDeletion } from '../pods/deletion-order.js';
import { podOf } from '../pods/pod-control.js';
import { mostOf } from '../../objects/extremes.js';
import { finalizersWithout, withFinalizers } from '../../objects/owners.js';
import { conditionOf, isActive, isFinished, isTerminating } from '../../objects/pod-state.js';
import { sidecarsOf } from '../../objects/sidecars.js';

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

/**
 * Returns whether the Pod counts as failed: its phase is Failed, or the Pod is being deleted, is not finished, and `replacesOnlyFailed` is
 * false for the Job.
 */
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
    return withFinalizers(live, finalizersWithout(live, trackingFinalizer));
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

/**
 * Returns the lowest indexes that need a Pod, up to `count` indexes. `ended` contains the indexes that have succeeded or failed. If the Job
 * only replaces failed Pods, excludes the indexes of Pods that are being deleted.
 */
export function missingIndexes(
  job: ApiObject,
  state: { readonly pods: readonly ApiObject[]; readonly ended: IndexSet; readonly count: number },
): readonly number[] {
  const waits = replacesOnlyFailed(job);
  const busy = new Set(state.pods.filter((pod) => isActive(pod) || (waits && isTerminating(pod))).map(indexOf));
  const missing: number[] = [];
  for (const index of state.ended.missing(numberAt(job, 'spec', 'completions') ?? 0)) {
    if (missing.length >= state.count) break;
    if (!busy.has(index)) missing.push(index);
  }
  return missing;
}

/**
 * Returns the active Pods that the Job deletes. For an Indexed Job, these are all Pods without a valid index and all Pods except one of
 * each index. If these are fewer than `count`, adds further Pods up to `count`. For other Jobs, returns `count` Pods.
 */
export function surplusPods(
  job: ApiObject,
  active: readonly ApiObject[],
  { count, now }: { readonly count: number; readonly now: Date },
): readonly ApiObject[] {
  const order = inOrderOfDeletion(active, { now });
  if (!isIndexed(job)) return order.slice(0, count);
  const kept = new Map<number, ApiObject>();
  for (const pod of order) {
    const index = indexOf(pod);
    if (index !== undefined && hasValidIndex(job, pod)) kept.set(index, pod);
  }
  const left = new Set(kept.values());
  const repeated = order.filter((pod) => !left.has(pod));
  return [...repeated, ...order.filter((pod) => left.has(pod)).slice(0, Math.max(0, count - repeated.length))];
}

/** Returns the number of container restarts of the running and pending Pods of a Job. */
export function restartsOf(pods: readonly ApiObject[]): number {
  return pods
    .filter((pod) => ['Running', 'Pending'].includes(stringAt(pod, 'status', 'phase')))
    .flatMap((pod) => [
      ...objectsAt(pod, 'status', 'initContainerStatuses'),
      ...objectsAt(pod, 'status', 'containerStatuses'),
    ])
    .reduce((sum, status) => sum + (numberAt(status, 'restartCount') ?? 0), 0);
}

/** Returns a Pod of the Job. If the Job is indexed, the Pod has the index and the annotations. */
export function jobPod(
  job: ApiObject,
  index: number | undefined,
  annotations: Readonly<Record<string, string>> = {},
): JsonDraft {
  const pod = podOf(job, objectAt(job, 'spec', 'template'));
  const finalizers = Array.isArray(pod.metadata['finalizers']) ? pod.metadata['finalizers'] : [];
  pod.metadata['finalizers'] = [...finalizers.filter((name) => name !== trackingFinalizer), trackingFinalizer];
  if (index === undefined) return pod;
  const suffix = `-${index}-`;
  pod.metadata['generateName'] = `${job.metadata.name.slice(0, longestPrefix - suffix.length)}${suffix}`;
  Object.assign(madeAt(pod, 'metadata', 'annotations'), { [completionIndexKey]: String(index), ...annotations });
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
 * Returns the time when a Pod ended, in milliseconds: when its last container ended, or else when the Pod became unready, was deleted or
 * was created. The grace period of a deletion does not count.
 */
export function endedAtMs(pod: ApiObject): number {
  const sidecars = new Set(sidecarsOf(pod).map(({ name }) => name));
  const statuses = [
    ...objectsAt(pod, 'status', 'containerStatuses'),
    ...objectsAt(pod, 'status', 'initContainerStatuses').filter(({ name }) => sidecars.has(name)),
  ];
  const last = mostOf(statuses.map((status) => Date.parse(stringAt(status, 'state', 'terminated', 'finishedAt'))));
  if (Number.isFinite(last)) return last;
  const ready = conditionOf(pod, 'Ready');
  const unready = ready?.['status'] === 'False' ? Date.parse(stringAt(ready, 'lastTransitionTime')) : NaN;
  if (!Number.isNaN(unready)) return unready;
  const { creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  if (deletionTimestamp === undefined) return Date.parse(creationTimestamp);
  return Date.parse(deletionTimestamp) - (deletionGracePeriodSeconds ?? 0) * 1000;
}
