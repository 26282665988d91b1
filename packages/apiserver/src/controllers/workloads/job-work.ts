import { finish } from '@kubewright/api/apply';
import { ApiError, isNotFound } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import {
  type ApiObject,
  copyJson,
  type JsonDraft,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  valueAt,
} from '../../registry/json-object.js';
import { timestamp } from '../../registry/metadata-rules.js';
import type { ControllerSetting } from '../controller.js';
import { controllerContext } from '../controller-context.js';
import { inOrderOfDeletion } from './deletion-order.js';
import type { JobBackOff } from './job-back-off.js';
import { formatIndexes, indexOf, isIndexed, parseIndexes } from './job-indexes.js';
import {
  hasFailed,
  hasValidIndex,
  isTracked,
  jobPod,
  missingIndexes,
  replacesOnlyFailed,
  trackingFinalizer,
} from './job-pods.js';
import { failureVerdict, successReached } from './job-policies.js';
import { createPod, deletePod, isNamespaceTerminating } from './pod-control.js';
import { isActive, isReady, isTerminating } from './pod-state.js';

const by = { name: 'job-controller', component: 'job-controller' };
const mostPodsAtOnce = 500;

interface Verdict {
  readonly type: 'FailureTarget' | 'SuccessCriteriaMet';
  readonly reason: string;
  readonly message: string;
}

/** One look at a Job and its Pods. */
export class JobWork {
  readonly #setting: ControllerSetting;
  readonly #backOff: JobBackOff;
  readonly #key: string;
  readonly #status: JsonDraft;
  readonly #conditions: JsonDraft[];
  #job: ApiObject;
  #pods: readonly ApiObject[];
  /** When the Job has to be looked at again. */
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

  /** Counts what has ended, makes or deletes Pods, and writes the status. Throws what kept it from that. */
  advance(): void {
    if (!this.#suspended) this.#status['startTime'] ??= this.#now;
    const ended = this.#endedPods();
    this.#backOff.count(this.#key, ended);
    const completed = this.#completedIndexes(ended.succeeded);
    const succeeded = isIndexed(this.#job) ? completed.size : this.#counted('succeeded') + ended.succeeded.length;
    const failed = this.#counted('failed') + ended.failed.filter((pod) => failureVerdict(this.#job, pod).counts).length;
    let verdict = this.#known() ?? this.#failure(failed) ?? this.#success(completed);
    let failure: ApiError | undefined;
    if (verdict !== undefined) {
      for (const pod of this.#pods.filter(isActive)) finish(deletePod(this.#setting, this.#job, { pod, by }));
    } else {
      failure = this.#manage({ succeeded, completed });
      verdict = this.#isComplete(succeeded) ? completions : undefined;
      if (verdict === undefined && failure === undefined) this.#markSuspended();
    }
    this.#refreshPods();
    this.#track({ ended, completed, verdict });
    if (failure !== undefined && !isNamespaceTerminating(failure)) throw failure;
  }

  /** Pods that have ended since they were last counted. */
  #endedPods(): { readonly succeeded: readonly ApiObject[]; readonly failed: readonly ApiObject[] } {
    const fresh = this.#pods.filter((pod) => isTracked(pod) && hasValidIndex(this.#job, pod));
    return {
      succeeded: fresh.filter((pod) => stringAt(pod, 'status', 'phase') === 'Succeeded'),
      failed: fresh.filter((pod) => hasFailed(this.#job, pod)),
    };
  }

  #completedIndexes(succeeded: readonly ApiObject[]): ReadonlySet<number> {
    if (!isIndexed(this.#job)) return new Set();
    const known = parseIndexes(stringAt(this.#status, 'completedIndexes'));
    const most = numberAt(this.#job, 'spec', 'completions') ?? 0;
    const indexes = [...known, ...succeeded.map((pod) => indexOf(pod) ?? most)];
    return new Set(indexes.filter((index) => index < most));
  }

  /** What was decided before. */
  #known(): Verdict | undefined {
    for (const type of ['SuccessCriteriaMet', 'FailureTarget'] as const) {
      const condition = this.#conditions.find((known) => known['type'] === type && known['status'] === 'True');
      if (condition !== undefined) {
        return { type, reason: stringAt(condition, 'reason'), message: stringAt(condition, 'message') };
      }
    }
    return undefined;
  }

  #failure(failed: number): Verdict | undefined {
    const verdicts = this.#pods
      .filter((pod) => hasFailed(this.#job, pod))
      .map((pod) => failureVerdict(this.#job, pod).failsJob);
    const policy = verdicts.find((message) => message !== undefined);
    if (policy !== undefined) return { type: 'FailureTarget', reason: 'PodFailurePolicy', message: policy };
    if (failed > (numberAt(this.#job, 'spec', 'backoffLimit') ?? 6)) {
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

  #success(completed: ReadonlySet<number>): Verdict | undefined {
    const message = isIndexed(this.#job) ? successReached(this.#job, completed) : undefined;
    return message === undefined ? undefined : { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message };
  }

  #isComplete(succeeded: number): boolean {
    const completions = numberAt(this.#job, 'spec', 'completions');
    this.#refreshPods();
    const active = this.#pods.filter(isActive).length;
    return active === 0 && (completions === undefined ? succeeded > 0 : succeeded >= completions);
  }

  /** Makes the Pods that are missing and deletes those that are too many; what went wrong, if something did. */
  #manage({ succeeded, completed }: { readonly succeeded: number; readonly completed: ReadonlySet<number> }) {
    if (this.#job.metadata.deletionTimestamp !== undefined) return undefined;
    const active = this.#pods.filter(isActive);
    const wanted = this.#wanted({ succeeded, active: active.length });
    if (active.length > wanted) {
      const order = inOrderOfDeletion(active, this.#setting.registry.clock.now());
      this.#deletePods(order.slice(0, Math.min(active.length - wanted, mostPodsAtOnce)));
      return undefined;
    }
    const leaving = replacesOnlyFailed(this.#job) ? this.#pods.filter(isTerminating).length : 0;
    const missing = Math.min(wanted - leaving - active.length, mostPodsAtOnce);
    if (missing <= 0) return undefined;
    const waitMs = this.#backOff.remainingMs(this.#key, this.#setting.registry.clock.now());
    if (waitMs > 0) {
      this.#again(waitMs);
      return undefined;
    }
    const indexes: readonly (number | undefined)[] = isIndexed(this.#job)
      ? missingIndexes(this.#job, { pods: this.#pods, completed, count: missing })
      : Array.from({ length: missing });
    return this.#createPods(indexes);
  }

  #createPods(indexes: readonly (number | undefined)[]): ApiError | undefined {
    try {
      for (const index of indexes) finish(createPod(this.#setting, this.#job, { pod: jobPod(this.#job, index), by }));
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
    return undefined;
  }

  #wanted({ succeeded, active }: { readonly succeeded: number; readonly active: number }): number {
    if (this.#suspended) return 0;
    const parallelism = numberAt(this.#job, 'spec', 'parallelism') ?? 1;
    const completions = numberAt(this.#job, 'spec', 'completions');
    if (completions === undefined) return succeeded > 0 ? Math.min(active, parallelism) : parallelism;
    return Math.max(0, Math.min(completions - succeeded, parallelism));
  }

  /** Deletes Pods that are too many, which is no failure of theirs. */
  #deletePods(pods: readonly ApiObject[]): void {
    for (const pod of pods) {
      this.#release(pod);
      finish(deletePod(this.#setting, this.#job, { pod, by }));
    }
  }

  /** Says in a condition that the Job is suspended, or goes on again. */
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

  /** Counts ended Pods, first by name, then lets them go, then as numbers: none is counted twice, whatever happens. */
  #track(state: {
    readonly ended: { readonly succeeded: readonly ApiObject[]; readonly failed: readonly ApiObject[] };
    readonly completed: ReadonlySet<number>;
    readonly verdict: Verdict | undefined;
  }): void {
    const { ended, completed, verdict } = state;
    const indexed = isIndexed(this.#job);
    const failing = verdict?.type === 'FailureTarget';
    const deleted = failing ? this.#pods.filter((pod) => isTracked(pod) && isTerminating(pod)) : [];
    const failed = [...new Map([...ended.failed, ...deleted].map((pod) => [pod.metadata.uid, pod])).values()];
    const counting = failed.filter((pod) => failureVerdict(this.#job, pod).counts);
    const before = objectAt(this.#status, 'uncountedTerminatedPods');
    const uncounted = {
      succeeded: union(before['succeeded'], indexed ? [] : ended.succeeded),
      failed: union(before['failed'], counting),
    };
    if (indexed) {
      this.#status['succeeded'] = completed.size;
      this.#status['completedIndexes'] = formatIndexes(completed);
    }
    if (verdict !== undefined && !this.#conditions.some(({ type }) => type === verdict.type)) {
      this.#setCondition(verdict.type, { status: 'True', reason: verdict.reason, message: verdict.message });
    }
    this.#write(uncounted);
    const leaving = verdict === undefined ? [...ended.succeeded, ...failed] : this.#pods.filter(isTracked);
    for (const pod of leaving) this.#release(pod);
    this.#status['succeeded'] = this.#counted('succeeded') + uncounted.succeeded.length;
    this.#status['failed'] = this.#counted('failed') + uncounted.failed.length;
    this.#refreshPods();
    const finished = verdict !== undefined && !this.#pods.some(isTerminating);
    if (finished) this.#finish(verdict);
    this.#write({ succeeded: [], failed: [] });
    if (finished) this.#sayFinished(verdict);
  }

  #finish({ type, reason, message }: Verdict): void {
    const complete = type === 'SuccessCriteriaMet';
    this.#setCondition(complete ? 'Complete' : 'Failed', { status: 'True', reason, message });
    if (complete) this.#status['completionTime'] = this.#now;
    this.#backOff.forget(this.#key);
  }

  #sayFinished({ type, reason, message }: Verdict): void {
    if (type === 'SuccessCriteriaMet') this.#say('Normal', 'Completed', 'Job completed');
    else this.#say('Warning', reason, message);
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

  #write(uncounted: { readonly succeeded: readonly unknown[]; readonly failed: readonly unknown[] }): void {
    const active = this.#pods.filter(isActive);
    const status: JsonDraft = {
      ...this.#status,
      active: active.length,
      ready: active.filter(isReady).length,
      terminating: this.#pods.filter(isTerminating).length,
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
    this.#job = jobs.update(this.#job.metadata, (live) => ({ ...live, status: copyJson(status) }), context);
  }

  #release(pod: ApiObject): void {
    const change = ({ metadata: { finalizers, ...metadata }, ...live }: ApiObject): unknown => {
      const others = (finalizers ?? []).filter((name) => name !== trackingFinalizer);
      return { ...live, metadata: { ...metadata, ...(others.length === 0 ? {} : { finalizers: others }) } };
    };
    try {
      this.#setting.registry.builtIn('/v1/pods').update(pod.metadata, change, controllerContext(by.name, 'patch'));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
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

function union(known: unknown, pods: readonly ApiObject[]): readonly unknown[] {
  const uids = pods.map(({ metadata }) => metadata.uid);
  return [...new Set<unknown>([...(Array.isArray(known) ? known : []), ...uids])];
}
