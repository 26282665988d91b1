import { Breaks, type Steps, withBreak } from '@kubewright/api/apply';
import { ApiError, isAlreadyExists, isNotFound } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { copyJson, numberAt, objectAt, objectsAt, stringAt, valueAt } from '../../../registry/objects/json-object.js';
import { timestamp } from '../../../registry/metadata/metadata-rules.js';
import type { ControllerSetting } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { controllerReference } from '../../objects/controller-reference.js';
import { type CronSchedule, cronSchedule, dueRun, zonedTime } from './cron-schedule.js';
import { hasSameStatus } from './same-status.js';
import { isJobFinished } from './job-controller.js';
import { conditionOf } from '../../objects/pod-state.js';

const by = { name: 'cronjob-controller', component: 'cronjob-controller' };
const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';
/**
 * The milliseconds between a scheduled time and the reconcile, so that the scheduled time is in the past when the controller reads the
 * clock.
 */
const delayMs = 100;

/** One reconcile of a CronJob and its Jobs. */
export class CronJobWork {
  readonly #setting: ControllerSetting;
  readonly #cronJob: ApiObject;
  readonly #status: JsonDraft;
  /** The references to the running Jobs, by UID. */
  readonly #active: Map<unknown, JsonDraft>;

  constructor(setting: ControllerSetting, cronJob: ApiObject) {
    this.#setting = setting;
    this.#cronJob = cronJob;
    this.#status = copyJson(objectAt(cronJob, 'status'));
    this.#active = new Map(objectsAt(this.#status, 'active').map((reference) => [reference['uid'], reference]));
  }

  /**
   * Creates the due Job, deletes old Jobs and writes the status. Returns the milliseconds until the next run, or undefined if no run is
   * scheduled.
   */
  *advance(): Steps<number | undefined> {
    const jobs = this.#jobs;
    yield* this.#forget(jobs, 'Complete', 'successfulJobsHistoryLimit');
    yield* this.#forget(jobs, 'Failed', 'failedJobsHistoryLimit');
    yield* this.#follow(jobs);
    let nextInMs: number | undefined;
    try {
      nextInMs = this.#cronJob.metadata.deletionTimestamp === undefined ? yield* this.#start() : undefined;
    } finally {
      yield* this.#write();
    }
    return nextInMs;
  }

  /** Updates the list of running Jobs. */
  *#follow(jobs: readonly ApiObject[]): Steps<void> {
    const breaks = new Breaks();
    for (const job of jobs) {
      const { name, uid } = job.metadata;
      const known = this.#active.has(uid);
      const finished = isJobFinished(job);
      if (!known && !finished) {
        this.#say('Warning', 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name}`);
      } else if (known && finished) {
        this.#active.delete(uid);
        const how = conditionOf(job, 'Complete')?.['status'] === 'True' ? 'Complete' : 'Failed';
        this.#say('Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${how}`);
      }
      const completed = stringAt(job, 'status', 'completionTime');
      if (completed > stringAt(this.#status, 'lastSuccessfulTime')) this.#status['lastSuccessfulTime'] = completed;
      if (breaks.isDue()) yield;
    }
    const present = new Set<unknown>(jobs.map(({ metadata }) => metadata.uid));
    for (const [uid, reference] of this.#active) {
      if (breaks.isDue()) yield;
      if (present.has(uid)) continue;
      this.#say('Normal', 'MissingJob', `Active job went missing: ${stringAt(reference, 'name')}`);
      this.#active.delete(uid);
    }
  }

  *#start(): Steps<number | undefined> {
    if (valueAt(this.#cronJob, 'spec', 'suspend') === true) return undefined;
    const schedule = this.#schedule();
    if (schedule === undefined) return undefined;
    const now = this.#setting.registry.clock.now();
    const { time, missedMany, nextInMs } = dueRun(this.#cronJob, schedule, now);
    const again = nextInMs + delayMs;
    if (missedMany) {
      const advice = 'Set or decrease .spec.startingDeadlineSeconds or check clock skew';
      this.#say('Warning', 'TooManyMissedTimes', `too many missed start times. ${advice}`);
    }
    if (time === undefined) return again;
    if (this.#isRunning(time)) return again;
    const policy = stringAt(this.#cronJob, 'spec', 'concurrencyPolicy');
    if (policy === 'Forbid' && this.#active.size > 0) {
      const why = 'Not starting job because prior execution is running and concurrency policy is Forbid';
      this.#say('Normal', 'JobAlreadyActive', why);
      return again;
    }
    if (policy === 'Replace') yield* this.#replace();
    yield* this.#create(time);
    return again;
  }

  #schedule(): CronSchedule | undefined {
    const schedule = cronSchedule(this.#cronJob);
    if ('next' in schedule) return schedule;
    this.#say('Warning', schedule.reason, schedule.message);
    return undefined;
  }

  #isRunning(time: Date): boolean {
    const name = this.#nameAt(time);
    return (
      [...this.#active.values()].some((reference) => reference['name'] === name) ||
      stringAt(this.#cronJob, 'status', 'lastScheduleTime') === timestamp(time)
    );
  }

  *#replace(): Steps<void> {
    for (const job of this.#jobs) if (this.#active.has(job.metadata.uid)) yield* this.#delete(job);
  }

  *#create(time: Date): Steps<void> {
    const template = objectAt(this.#cronJob, 'spec', 'jobTemplate');
    const { labels, annotations } = objectAt(template, 'metadata');
    const scheduled = zonedTime(time, stringAt(this.#cronJob, 'spec', 'timeZone'));
    const metadata = {
      name: this.#nameAt(time),
      namespace: this.#cronJob.metadata.namespace,
      ...(labels === undefined ? {} : { labels }),
      annotations: { ...objectAt({ annotations }, 'annotations'), [scheduledAnnotation]: scheduled },
      ownerReferences: [controllerReference(this.#cronJob)],
    };
    const body = { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: copyJson(template['spec']) };
    try {
      const job = yield* this.#resource.createSteps(body, controllerContext(by.name, 'create'));
      this.#say('Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`);
      this.#addActive(job);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!isAlreadyExists(error)) {
        this.#say('Warning', 'FailedCreate', `Error creating job: ${(error as ApiError).message}`);
        throw error;
      }
      // An earlier sync may have created the Job without writing the status.
      const known = this.#jobs.find((job) => job.metadata.name === metadata.name);
      if (known !== undefined && !isJobFinished(known)) this.#addActive(known);
    }
    this.#status['lastScheduleTime'] = timestamp(time);
  }

  /** Deletes the oldest finished Jobs beyond the history limit. */
  *#forget(jobs: readonly ApiObject[], how: 'Complete' | 'Failed', limitField: string): Steps<void> {
    const limit = numberAt(this.#cronJob, 'spec', limitField);
    if (limit === undefined) return;
    const finished = jobs.filter((job) => conditionOf(job, how)?.['status'] === 'True');
    const started = (job: ApiObject): string => stringAt(job, 'status', 'startTime') || '~';
    const order = finished.toSorted((a, b) => (started(a) + a.metadata.name < started(b) + b.metadata.name ? -1 : 1));
    for (const job of order.slice(0, Math.max(0, finished.length - limit))) yield* this.#delete(job);
  }

  *#delete(job: ApiObject): Steps<void> {
    if (job.metadata.deletionTimestamp !== undefined) return;
    try {
      const options = { propagationPolicy: 'Background', preconditions: { uid: job.metadata.uid } };
      yield* this.#resource.deleteSteps(job.metadata, options, controllerContext(by.name, 'delete'));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.#active.delete(job.metadata.uid);
    this.#say('Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
  }

  /** Writes the status. Throws 409 if the status has changed since this reconcile read it. */
  *#write(): Steps<void> {
    const status: JsonDraft = { ...this.#status };
    if (this.#active.size > 0) status['active'] = [...this.#active.values()];
    else delete status['active'];
    if (deepEqual(status, objectAt(this.#cronJob, 'status'))) return;
    const cronJobs = this.#setting.registry.builtIn('batch/v1/cronjobs');
    const context = controllerContext(by.name, 'update', 'status');
    const read = this.#cronJob;
    const change = withBreak((live: ApiObject) => ({ ...(hasSameStatus(read, live) ? live : read), status }));
    yield* cronJobs.updateSteps(read.metadata, change, context);
  }

  #addActive({ metadata }: ApiObject): void {
    const { name, namespace, uid, resourceVersion } = metadata;
    this.#active.set(uid, { kind: 'Job', namespace, name, uid, apiVersion: 'batch/v1', resourceVersion });
  }

  #nameAt(time: Date): string {
    return `${this.#cronJob.metadata.name}-${Math.floor(time.getTime() / 60_000)}`;
  }

  #say(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#setting.events.record(this.#cronJob, { type, reason, message }, by);
  }

  get #jobs(): readonly ApiObject[] {
    return this.#setting.index.controlledBy(this.#cronJob, 'batch/jobs');
  }

  get #resource() {
    return this.#setting.registry.builtIn('batch/v1/jobs');
  }
}
