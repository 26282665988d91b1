import { ApiError, isAlreadyExists, isNotFound } from '@kubewright/api/errors';
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
import { controllerReference } from './controller-reference.js';
import { type CronSchedule, cronSchedule, dueRun, zonedTime } from './cron-schedule.js';
import { isJobFinished } from './job-controller.js';
import { conditionOf } from './pod-state.js';

const by = { name: 'cronjob-controller', component: 'cronjob-controller' };
const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';
/** A moment later than the time itself, so that a clock that is read in between has passed it. */
const delayMs = 100;

/** One look at a CronJob and its Jobs. */
export class CronJobWork {
  readonly #setting: ControllerSetting;
  readonly #cronJob: ApiObject;
  readonly #status: JsonDraft;
  #active: JsonDraft[];

  constructor(setting: ControllerSetting, cronJob: ApiObject) {
    this.#setting = setting;
    this.#cronJob = cronJob;
    this.#status = copyJson(objectAt(cronJob, 'status'));
    this.#active = [...objectsAt(this.#status, 'active')];
  }

  /** Starts the Job that is due, forgets old ones, and writes the status; milliseconds until the next is due. */
  advance(): number | undefined {
    const jobs = this.#jobs;
    this.#forget(jobs, 'Complete', 'successfulJobsHistoryLimit');
    this.#forget(jobs, 'Failed', 'failedJobsHistoryLimit');
    this.#follow(jobs);
    let nextInMs: number | undefined;
    try {
      nextInMs = this.#cronJob.metadata.deletionTimestamp === undefined ? this.#start() : undefined;
    } finally {
      this.#write();
    }
    return nextInMs;
  }

  /** Keeps the list of running Jobs. */
  #follow(jobs: readonly ApiObject[]): void {
    for (const job of jobs) {
      const { name, uid } = job.metadata;
      const known = this.#active.some((reference) => reference['uid'] === uid);
      const finished = isJobFinished(job);
      if (!known && !finished) {
        this.#say('Warning', 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name}`);
      } else if (known && finished) {
        this.#dropActive(uid);
        const how = conditionOf(job, 'Complete')?.['status'] === 'True' ? 'Complete' : 'Failed';
        this.#say('Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${how}`);
      }
      const completed = stringAt(job, 'status', 'completionTime');
      if (completed > stringAt(this.#status, 'lastSuccessfulTime')) this.#status['lastSuccessfulTime'] = completed;
    }
    const present = new Set<unknown>(jobs.map(({ metadata }) => metadata.uid));
    for (const reference of this.#active) {
      if (present.has(reference['uid'])) continue;
      this.#say('Normal', 'MissingJob', `Active job went missing: ${stringAt(reference, 'name')}`);
      this.#dropActive(reference['uid']);
    }
  }

  #start(): number | undefined {
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
    if (policy === 'Forbid' && this.#active.length > 0) {
      const why = 'Not starting job because prior execution is running and concurrency policy is Forbid';
      this.#say('Normal', 'JobAlreadyActive', why);
      return again;
    }
    if (policy === 'Replace') this.#replace();
    this.#create(time);
    return again;
  }

  #schedule(): CronSchedule | undefined {
    try {
      return cronSchedule(this.#cronJob);
    } catch (error) {
      const text = stringAt(this.#cronJob, 'spec', 'schedule');
      const why = error instanceof Error ? error.message : String(error);
      this.#say('Warning', 'UnparseableSchedule', `unparseable schedule: "${text}" : ${why}`);
      return undefined;
    }
  }

  #isRunning(time: Date): boolean {
    const name = this.#nameAt(time);
    return (
      this.#active.some((reference) => reference['name'] === name) ||
      stringAt(this.#cronJob, 'status', 'lastScheduleTime') === timestamp(time)
    );
  }

  #replace(): void {
    for (const job of this.#jobs) {
      if (this.#active.some((reference) => reference['uid'] === job.metadata.uid)) this.#delete(job);
    }
  }

  #create(time: Date): void {
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
      const job = this.#resource.create(body, controllerContext(by.name, 'create'));
      this.#say('Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`);
      const { name, namespace, uid, resourceVersion } = job.metadata;
      this.#active.push({ kind: 'Job', namespace, name, uid, apiVersion: 'batch/v1', resourceVersion });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!isAlreadyExists(error)) {
        this.#say('Warning', 'FailedCreate', `Error creating job: ${(error as ApiError).message}`);
        throw error;
      }
    }
    this.#status['lastScheduleTime'] = timestamp(time);
  }

  /** Deletes the oldest of the finished Jobs, as far as they are more than the history may have. */
  #forget(jobs: readonly ApiObject[], how: 'Complete' | 'Failed', limitField: string): void {
    const limit = numberAt(this.#cronJob, 'spec', limitField);
    if (limit === undefined) return;
    const finished = jobs.filter((job) => conditionOf(job, how)?.['status'] === 'True');
    const started = (job: ApiObject): string => stringAt(job, 'status', 'startTime') || '~';
    const order = finished.toSorted((a, b) => (started(a) + a.metadata.name < started(b) + b.metadata.name ? -1 : 1));
    for (const job of order.slice(0, Math.max(0, finished.length - limit))) this.#delete(job);
  }

  #delete(job: ApiObject): void {
    if (job.metadata.deletionTimestamp !== undefined) return;
    try {
      const options = { propagationPolicy: 'Background' };
      this.#resource.delete(job.metadata, options, controllerContext(by.name, 'delete'));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.#dropActive(job.metadata.uid);
    this.#say('Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
  }

  #write(): void {
    const status: JsonDraft = { ...this.#status };
    if (this.#active.length > 0) status['active'] = this.#active;
    else delete status['active'];
    if (deepEqual(status, objectAt(this.#cronJob, 'status'))) return;
    const cronJobs = this.#setting.registry.builtIn('batch/v1/cronjobs');
    const context = controllerContext(by.name, 'update', 'status');
    cronJobs.update(this.#cronJob.metadata, (live) => ({ ...live, status }), context);
  }

  #dropActive(uid: unknown): void {
    this.#active = this.#active.filter((reference) => reference['uid'] !== uid);
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
