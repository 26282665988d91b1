import type { ApiObject } from '../../../registry/objects/api-object.js';
import { numberAt, stringAt } from '../../../registry/objects/json-object.js';
import { remainingBackOffMs } from './job-back-off.js';
import { IndexSet, indexOf, isIndexed } from './job-indexes.js';
import { endedAtMs, hasFailed, hasValidIndex, isTracked } from './job-pods.js';
import { failureVerdict } from './job-policies.js';
import { isActive } from '../../objects/pod-state.js';

const failureCountKey = 'batch.kubernetes.io/job-index-failure-count';
const ignoredCountKey = 'batch.kubernetes.io/job-index-ignored-failure-count';
const mostFailures = 2_147_483_647;

/** The indexes of an Indexed Job that have ended, and the failed Pods that the Job retains. Empty for other Jobs. */
export interface EndedIndexes {
  readonly completed: IndexSet;
  /** The failed indexes, or undefined if the Job does not limit the failures of each index. */
  readonly failed: IndexSet | undefined;
  /**
   * The last failed Pod of each index that needs another Pod. The Job retains these Pods, because the next Pod of the index continues
   * their failure counts.
   */
  readonly retained: ReadonlyMap<number, ApiObject>;
}

/** Returns the ended indexes of a Job. `succeeded` contains the succeeded Pods that the status does not count yet. */
export function endedIndexes(
  job: ApiObject,
  { pods, succeeded }: { readonly pods: readonly ApiObject[]; readonly succeeded: readonly ApiObject[] },
): EndedIndexes {
  const none = { completed: IndexSet.parse(''), failed: undefined, retained: new Map() };
  if (!isIndexed(job)) return none;
  const end = numberAt(job, 'spec', 'completions') ?? 0;
  const indexes = succeeded.flatMap((pod) => indexOf(pod) ?? []);
  const completed = IndexSet.parse(stringAt(job, 'status', 'completedIndexes')).with(indexes, end);
  if (numberAt(job, 'spec', 'backoffLimitPerIndex') === undefined) return { ...none, completed };
  const failed = failedIndexes(job, pods);
  return { completed, failed, retained: retainedPods(job, pods, completed.union(failed)) };
}

/** Returns the failed indexes in the status, and the indexes that fail because of failed Pods that the status does not count yet. */
function failedIndexes(job: ApiObject, pods: readonly ApiObject[]): IndexSet {
  const limit = numberAt(job, 'spec', 'backoffLimitPerIndex') ?? 0;
  const end = numberAt(job, 'spec', 'completions') ?? 0;
  const failsIndex = (pod: ApiObject): boolean => {
    if (!isTracked(pod) || !hasFailed(job, pod)) return false;
    const { counts, failsIndex: always } = failureVerdict(job, pod);
    return always === true || (counts && countAt(pod, failureCountKey) >= limit);
  };
  const failed = pods.filter(failsIndex).flatMap((pod) => indexOf(pod) ?? []);
  return IndexSet.parse(stringAt(job, 'status', 'failedIndexes')).with(failed, end);
}

function retainedPods(job: ApiObject, pods: readonly ApiObject[], ended: IndexSet): ReadonlyMap<number, ApiObject> {
  const busy = new Set(pods.filter(isActive).map(indexOf));
  const retained = new Map<number, ApiObject>();
  for (const pod of pods) {
    const index = indexOf(pod);
    if (index === undefined || !isTracked(pod) || !hasValidIndex(job, pod) || !hasFailed(job, pod)) continue;
    if (busy.has(index) || ended.has(index)) continue;
    const known = retained.get(index);
    if (known === undefined || (failuresOf(known) <= failuresOf(pod) && endedAtMs(known) <= endedAtMs(pod))) {
      retained.set(index, pod);
    }
  }
  return retained;
}

/** Returns the annotations of a new Pod with the failure counts of its index. `replaced` is the last failed Pod of the index. */
export function failureCounts(job: ApiObject, replaced: ApiObject | undefined): Readonly<Record<string, string>> {
  if (replaced === undefined) return { [failureCountKey]: '0' };
  const { counts } = failureVerdict(job, replaced);
  const failures = countAt(replaced, failureCountKey) + (counts ? 1 : 0);
  const ignored = countAt(replaced, ignoredCountKey) + (counts ? 0 : 1);
  return { [failureCountKey]: String(failures), ...(ignored > 0 ? { [ignoredCountKey]: String(ignored) } : {}) };
}

/** Returns the milliseconds until another Pod can replace a failed Pod. */
export function replacementInMs(failed: ApiObject | undefined, now: Date): number {
  if (failed === undefined) return 0;
  return remainingBackOffMs({ count: failuresOf(failed) + 1, lastMs: endedAtMs(failed) }, now);
}

/** Returns the number of earlier failures of the index of a Pod, including ignored failures. */
function failuresOf(pod: ApiObject): number {
  return countAt(pod, failureCountKey) + countAt(pod, ignoredCountKey);
}

function countAt({ metadata }: ApiObject, key: string): number {
  const count = Number(metadata.annotations?.[key] ?? 0);
  return Number.isInteger(count) && count >= 0 && count <= mostFailures ? count : 0;
}
