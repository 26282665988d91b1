import { type Steps, withBreak } from '@kubewright/api/apply';
import { ApiError } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { copyJson, numberAt, objectAt, objectsAt, stringAt, valueAt } from '../../../registry/objects/json-object.js';
import { timestamp } from '../../../registry/metadata/metadata-rules.js';
import type { ControllerSetting } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { filterSteps } from '../pods/filter-steps.js';
import type { JobBackOff } from './job-back-off.js';
import { hasSameStatus } from './same-status.js';
import { type EndedIndexes, endedIndexes, failureCounts, replacementInMs } from './ended-indexes.js';
import { isIndexed } from './job-indexes.js';
import {
  hasFailed,
  hasValidIndex,
  isTracked,
  jobController as by,
  jobPod,
  missingIndexes,
  releasePod,
  replacesOnlyFailed,
  restartsOf,
  surplusPods,
} from './job-pods.js';
import { failureVerdict, successReached } from './job-policies.js';
import { createPod, deletePod, isNamespaceTerminating } from '../pods/pod-control.js';
import { isActive, isFinished, isReady, isTerminating } from '../../objects/pod-state.js';

const mostPodsAtOnce = 500;

interface Verdict {
  readonly type: 'FailureTarget' | 'SuccessCriteriaMet';
  readonly reason: string;
  readonly message: string;
}

/** Pods that have ended since the last count. */
interface EndedPods {
  readonly succeeded: readonly ApiObject[];
  readonly failed: readonly ApiObject[];
}

/** The UIDs of ended Pods that the counters of the status do not include. */
interface Uncounted {
  readonly succeeded: readonly unknown[];
  readonly failed: readonly unknown[];
}

/** One reconcile of a Job and its Pods. */
export class JobWork {
  readonly #setting: ControllerSetting;
  readonly #backOff: JobBackOff;
  readonly #key: string;
  readonly #status: JsonDraft;
  readonly #conditions: JsonDraft[];
  #job: ApiObject;
  #pods: readonly ApiObject[];
  /** The milliseconds until the Job must be reconciled again. */
  againInMs: number | undefined;

  constructor(
    setting: ControllerSetting,
    job: ApiObject,
    options: { readonly pods: readonly ApiObject[]; readonly backOff: JobBackOff; readonly key: string },
  ) {
    this.#setting = setting;
    this.#job = job;
    this.#pods = options.pods;
    this.#backOff = options.backOff;
    this.#key = options.key;
    this.#status = copyJson(objectAt(job, 'status'));
    this.#conditions = [...objectsAt(this.#status, 'conditions')];
  }

  /**
   * Counts ended Pods, creates or deletes Pods, and writes the status. Throws the first error, but not the refusal of a new Pod in a
   * namespace that is being deleted.
   */
  *advance(): Steps<void> {
    if (!this.#suspended) this.#status['startTime'] ??= this.#now;
    const ended = yield* this.#endedPods();
    this.#backOff.count(this.#key, ended);
    const indexes = endedIndexes(this.#job, { pods: this.#pods, succeeded: ended.succeeded });
    const uncounted = yield* this.#uncounted(ended);
    const counted = this.#counted('succeeded') + uncounted.succeeded.length;
    const succeeded = isIndexed(this.#job) ? indexes.completed.size : counted;
    const failed = this.#counted('failed') + uncounted.failed.length;
    let verdict =
      this.#known() ?? (yield* this.#failure(failed)) ?? this.#indexFailure(indexes) ?? this.#success(indexes);
    let failure: ApiError | undefined;
    if (verdict !== undefined) {
      const active = yield* filterSteps(this.#pods, isActive);
      for (const pod of active) yield* deletePod(this.#setting, this.#job, { pod, by });
    } else {
      failure = yield* this.#manage({ succeeded, indexes });
      verdict = (yield* this.#isComplete(succeeded)) ? completions : undefined;
      if (verdict === undefined && failure === undefined) this.#markSuspended();
    }
    this.#refreshPods();
    const isEnding = verdict !== undefined || this.#job.metadata.deletionTimestamp !== undefined;
    const retained = new Set<unknown>(
      isEnding ? [] : [...indexes.retained.values()].map(({ metadata }) => metadata.uid),
    );
    const without = (pods: readonly ApiObject[]) => pods.filter(({ metadata }) => !retained.has(metadata.uid));
    yield* this.#track({
      ended: [...ended.succeeded, ...without(ended.failed)],
      indexes,
      verdict,
      uncounted: { ...uncounted, failed: uncounted.failed.filter((uid) => !retained.has(uid)) },
    });
    if (failure !== undefined && !isNamespaceTerminating(failure)) throw failure;
  }

  *#endedPods(): Steps<EndedPods> {
    const fresh = yield* filterSteps(this.#pods, (pod) => isTracked(pod) && hasValidIndex(this.#job, pod));
    return {
      succeeded: fresh.filter((pod) => stringAt(pod, 'status', 'phase') === 'Succeeded'),
      failed: fresh.filter((pod) => hasFailed(this.#job, pod)),
    };
  }

  /**
   * Returns the UIDs of the ended Pods, and the UIDs that the status already lists as uncounted. Omits the succeeded Pods of an Indexed
   * Job, and the failed Pods that the failure policy ignores.
   */
  *#uncounted({ succeeded, failed }: EndedPods): Steps<Uncounted> {
    const before = objectAt(this.#status, 'uncountedTerminatedPods');
    const counting = yield* filterSteps(failed, (pod) => failureVerdict(this.#job, pod).counts);
    return {
      succeeded: union(before['succeeded'], isIndexed(this.#job) ? [] : succeeded),
      failed: union(before['failed'], counting),
    };
  }

  /** Returns the decision about the Job that an earlier reconcile has written to the conditions, or undefined if there is none. */
  #known(): Verdict | undefined {
    for (const type of ['SuccessCriteriaMet', 'FailureTarget'] as const) {
      const condition = this.#conditions.find((known) => known['type'] === type && known['status'] === 'True');
      if (condition !== undefined) {
        return { type, reason: stringAt(condition, 'reason'), message: stringAt(condition, 'message') };
      }
    }
    return undefined;
  }

  *#failure(failed: number): Steps<Verdict | undefined> {
    const failsJob = (pod: ApiObject) =>
      hasFailed(this.#job, pod) ? failureVerdict(this.#job, pod).failsJob : undefined;
    const [failedPod] = yield* filterSteps(this.#pods, (pod) => failsJob(pod) !== undefined);
    const policy = failedPod === undefined ? undefined : failsJob(failedPod);
    if (policy !== undefined) return { type: 'FailureTarget', reason: 'PodFailurePolicy', message: policy };
    const limit = numberAt(this.#job, 'spec', 'backoffLimit') ?? 6;
    const restarts =
      stringAt(this.#job, 'spec', 'template', 'spec', 'restartPolicy') === 'OnFailure' ? restartsOf(this.#pods) : 0;
    if (failed > limit || restarts >= Math.max(1, limit)) {
      const message = 'Job has reached the specified backoff limit';
      return { type: 'FailureTarget', reason: 'BackoffLimitExceeded', message };
    }
    const deadline = numberAt(this.#job, 'spec', 'activeDeadlineSeconds');
    if (deadline === undefined || this.#suspended) return undefined;
    const started = Date.parse(stringAt(this.#status, 'startTime'));
    const leftMs = started + deadline * 1000 - this.#setting.registry.clock.now().getTime();
    if (leftMs > 0) {
      this.#again(leftMs);
      return undefined;
    }
    const message = 'Job was active longer than specified deadline';
    return { type: 'FailureTarget', reason: 'DeadlineExceeded', message };
  }

  #indexFailure({ completed, failed }: EndedIndexes): Verdict | undefined {
    if (failed === undefined) return undefined;
    if (failed.size > (numberAt(this.#job, 'spec', 'maxFailedIndexes') ?? Infinity)) {
      const message = 'Job has exceeded the specified maximal number of failed indexes';
      return { type: 'FailureTarget', reason: 'MaxFailedIndexesExceeded', message };
    }
    const completions = numberAt(this.#job, 'spec', 'completions') ?? 0;
    if (failed.size === 0 || failed.size + completed.size < completions) return undefined;
    return { type: 'FailureTarget', reason: 'FailedIndexes', message: 'Job has failed indexes' };
  }

  #success({ completed }: EndedIndexes): Verdict | undefined {
    const message = isIndexed(this.#job) ? successReached(this.#job, completed) : undefined;
    return message === undefined ? undefined : { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message };
  }

  *#isComplete(succeeded: number): Steps<boolean> {
    const completions = numberAt(this.#job, 'spec', 'completions');
    this.#refreshPods();
    const active = yield* filterSteps(this.#pods, isActive);
    return active.length === 0 && (completions === undefined ? succeeded > 0 : succeeded >= completions);
  }

  /** Creates missing Pods or deletes surplus Pods. Returns the error if the server refuses a new Pod. */
  *#manage({
    succeeded,
    indexes,
  }: {
    readonly succeeded: number;
    readonly indexes: EndedIndexes;
  }): Steps<ApiError | undefined> {
    if (this.#job.metadata.deletionTimestamp !== undefined) return undefined;
    const active = yield* filterSteps(this.#pods, isActive);
    const desired = this.#desired({ succeeded, active: active.length });
    const now = this.#setting.registry.clock.now();
    const surplus = surplusPods(this.#job, active, { count: Math.max(0, active.length - desired), now });
    if (surplus.length > 0) {
      yield* this.#deletePods(surplus.slice(0, mostPodsAtOnce));
      return undefined;
    }
    const leaving = replacesOnlyFailed(this.#job) ? this.#pods.filter(isTerminating).length : 0;
    const missing = Math.min(desired - leaving - active.length, mostPodsAtOnce);
    if (missing <= 0) return undefined;
    const waitMs = indexes.failed === undefined ? this.#backOff.remainingMs(this.#key, now) : 0;
    if (waitMs > 0) {
      this.#again(waitMs);
      return undefined;
    }
    if (!isIndexed(this.#job)) return yield* this.#createPods(Array.from({ length: missing }), indexes);
    const { completed, failed, retained } = indexes;
    const ended = failed === undefined ? completed : completed.union(failed);
    const due: number[] = [];
    for (const index of missingIndexes(this.#job, { pods: this.#pods, ended, count: missing })) {
      const delayMs = replacementInMs(retained.get(index), now);
      if (delayMs === 0) due.push(index);
      else this.#again(delayMs);
    }
    return yield* this.#createPods(due, indexes);
  }

  *#createPods(
    indexes: readonly (number | undefined)[],
    { failed, retained }: EndedIndexes,
  ): Steps<ApiError | undefined> {
    try {
      for (const index of indexes) {
        const isCounted = index !== undefined && failed !== undefined;
        const pod = jobPod(this.#job, index, isCounted ? failureCounts(this.#job, retained.get(index)) : {});
        yield;
        yield* createPod(this.#setting, this.#job, { pod, by });
      }
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
    return undefined;
  }

  #desired({ succeeded, active }: { readonly succeeded: number; readonly active: number }): number {
    if (this.#suspended) return 0;
    const parallelism = numberAt(this.#job, 'spec', 'parallelism') ?? 1;
    const completions = numberAt(this.#job, 'spec', 'completions');
    if (completions === undefined) return succeeded > 0 ? active : parallelism;
    return Math.max(0, Math.min(completions - succeeded, parallelism));
  }

  /** Deletes surplus Pods without counting them as failed. */
  *#deletePods(pods: readonly ApiObject[]): Steps<void> {
    for (const pod of pods) {
      // A Pod that has ended in the meantime keeps its finalizer until the Job counts the Pod.
      yield* releasePod(this.#setting, pod, isActive);
      yield* deletePod(this.#setting, this.#job, { pod, by });
    }
  }

  /** Sets the condition for a suspended or resumed Job. */
  #markSuspended(): void {
    const known = this.#conditions.find(({ type }) => type === 'Suspended');
    const suspended = this.#suspended;
    if (known === undefined && !suspended) return;
    if (known?.['status'] === (suspended ? 'True' : 'False')) return;
    const reason = suspended ? 'JobSuspended' : 'JobResumed';
    const message = suspended ? 'Job suspended' : 'Job resumed';
    this.#setCondition('Suspended', { status: suspended ? 'True' : 'False', reason, message });
    this.#say('Normal', suspended ? 'Suspended' : 'Resumed', message);
    if (suspended) delete this.#status['startTime'];
    else this.#status['startTime'] = this.#now;
  }

  /**
   * Counts ended Pods: lists their UIDs in the status, removes their finalizers, and then adds them to the counters. This order counts each
   * Pod once, even after an error.
   */
  *#track(state: {
    readonly ended: readonly ApiObject[];
    readonly indexes: EndedIndexes;
    readonly verdict: Verdict | undefined;
    readonly uncounted: Uncounted;
  }): Steps<void> {
    const { ended, verdict } = state;
    const { completed, failed } = state.indexes;
    const isDeleted = (pod: ApiObject) => isTracked(pod) && isTerminating(pod) && hasValidIndex(this.#job, pod);
    const deleted = verdict?.type === 'FailureTarget' ? yield* filterSteps(this.#pods, isDeleted) : [];
    const counting = yield* filterSteps(deleted, (pod) => failureVerdict(this.#job, pod).counts);
    const uncounted = { ...state.uncounted, failed: union(state.uncounted.failed, counting) };
    const counted = [...ended, ...deleted];
    if (isIndexed(this.#job)) {
      this.#status['succeeded'] = completed.size;
      this.#status['completedIndexes'] = String(completed);
      if (failed !== undefined) this.#status['failedIndexes'] = String(failed);
    }
    if (verdict !== undefined && !this.#conditions.some(({ type }) => type === verdict.type)) {
      this.#setCondition(verdict.type, { status: 'True', reason: verdict.reason, message: verdict.message });
    }
    yield* this.#write(uncounted);
    const isEnding = verdict !== undefined || this.#job.metadata.deletionTimestamp !== undefined;
    for (const pod of isEnding ? yield* this.#leaving(counted) : counted) {
      yield* releasePod(this.#setting, pod);
    }
    this.#status['succeeded'] = this.#counted('succeeded') + uncounted.succeeded.length;
    this.#status['failed'] = this.#counted('failed') + uncounted.failed.length;
    this.#refreshPods();
    const waiting = yield* filterSteps(this.#pods, (pod) => isTerminating(pod) || isTracked(pod));
    const finished = verdict !== undefined && waiting.length === 0;
    if (finished) this.#finish(verdict);
    yield* this.#write({ succeeded: [], failed: [] });
    if (finished) this.#recordFinished(verdict);
  }

  /**
   * Returns the Pods of an ending Job whose finalizer can be removed. Excludes Pods that have ended since the first step, because the next
   * sync counts them.
   */
  #leaving(counted: readonly ApiObject[]): Steps<readonly ApiObject[]> {
    const uids = new Set(counted.map(({ metadata }) => metadata.uid));
    const isNew = (pod: ApiObject) => isFinished(pod) && hasValidIndex(this.#job, pod) && !uids.has(pod.metadata.uid);
    return filterSteps(this.#pods, (pod) => isTracked(pod) && !isNew(pod));
  }

  #finish({ type, reason, message }: Verdict): void {
    const complete = type === 'SuccessCriteriaMet';
    this.#setCondition(complete ? 'Complete' : 'Failed', { status: 'True', reason, message });
    if (complete) this.#status['completionTime'] = this.#now;
    this.#backOff.forget(this.#key);
  }

  #recordFinished({ type, reason, message }: Verdict): void {
    if (type === 'FailureTarget') {
      this.#say('Warning', reason, message);
      return;
    }
    const completions = numberAt(this.#job, 'spec', 'completions');
    if (completions !== undefined && this.#counted('succeeded') > completions) {
      const surplus = 'Too many succeeded pods running after completion count reached';
      this.#say('Warning', 'TooManySucceededPods', surplus);
    }
    this.#say('Normal', 'Completed', 'Job completed');
  }

  #setCondition(
    type: string,
    condition: { readonly status: string; readonly reason: string; readonly message: string },
  ) {
    const next = { type, ...condition, lastProbeTime: this.#now, lastTransitionTime: this.#now };
    const at = this.#conditions.findIndex((known) => known['type'] === type);
    if (at < 0) this.#conditions.push(next);
    else this.#conditions[at] = next;
  }

  /** Writes the status. Throws 409 if the spec or the status of the Job has changed since this reconcile read it. */
  *#write(uncounted: Uncounted): Steps<void> {
    const active = yield* filterSteps(this.#pods, isActive);
    const terminating = yield* filterSteps(this.#pods, isTerminating);
    const status: JsonDraft = {
      ...this.#status,
      active: active.length,
      ready: active.filter(isReady).length,
      terminating: terminating.length,
      uncountedTerminatedPods: {
        ...(uncounted.succeeded.length > 0 ? { succeeded: uncounted.succeeded } : {}),
        ...(uncounted.failed.length > 0 ? { failed: uncounted.failed } : {}),
      },
    };
    if (this.#conditions.length > 0) status['conditions'] = this.#conditions;
    for (const field of ['active', 'succeeded', 'failed'] as const) if (status[field] === 0) delete status[field];
    if (status['completedIndexes'] === '') delete status['completedIndexes'];
    if (deepEqual(status, this.#job['status'] ?? {})) return;
    const jobs = this.#setting.registry.builtIn('batch/v1/jobs');
    const context = controllerContext(by.name, 'update', 'status');
    const read = this.#job;
    const change = withBreak((live: ApiObject) => ({
      ...(isSameWork(read, live) ? live : read),
      status: copyJson(status),
    }));
    this.#job = yield* jobs.updateSteps(read.metadata, change, context);
  }

  #refreshPods(): void {
    this.#pods = this.#setting.index.controlledBy(this.#job, '/pods');
  }

  #counted(field: 'failed' | 'succeeded'): number {
    return numberAt(this.#status, field) ?? 0;
  }

  #again(delayMs: number): void {
    this.againInMs = Math.min(this.againInMs ?? Infinity, delayMs);
  }

  #say(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#setting.events.record(this.#job, { type, reason, message }, by);
  }

  get #suspended(): boolean {
    return valueAt(this.#job, 'spec', 'suspend') === true;
  }

  get #now(): string {
    return timestamp(this.#setting.registry.clock.now());
  }
}

const completions: Verdict = {
  type: 'SuccessCriteriaMet',
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
};

/** Returns whether two versions of a Job only differ in metadata such as labels and annotations. */
function isSameWork(read: ApiObject, live: ApiObject): boolean {
  return read.metadata.generation === live.metadata.generation && hasSameStatus(read, live);
}

function union(known: unknown, pods: readonly ApiObject[]): readonly unknown[] {
  const uids = pods.map(({ metadata }) => metadata.uid);
  return [...new Set<unknown>([...(Array.isArray(known) ? known : []), ...uids])];
}
