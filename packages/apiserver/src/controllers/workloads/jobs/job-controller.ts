import { Breaks, type Steps } from '@kubewright/api/apply';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { numberAt, stringAt } from '../../../registry/objects/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { keyText, parseKey } from '../../objects/object-reference.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { claimed } from '../pods/claims.js';
import { controlledBy, controllerKey } from '../../objects/controller-reference.js';
import { type OwnerKind, queueOwners } from '../pods/owner-queue.js';
import { JobBackOff } from './job-back-off.js';
import { ownerSelector } from '../../objects/owner-selector.js';
import { isTracked, releasePod, trackingFinalizer } from './job-pods.js';
import { JobWork } from './job-work.js';
import { conditionOf } from '../../objects/pod-state.js';

const bucket = 'batch/jobs';
const ours = 'kubernetes.io/job-controller';

const jobKind: OwnerKind = { bucket, group: 'batch', kind: 'Job', controls: ['/pods'] };

/** Returns whether a Job has completed or failed. */
export function isJobFinished(job: ApiObject): boolean {
  return endCondition(job) !== undefined;
}

/** Returns the condition of a Job that has completed or failed. */
function endCondition(job: ApiObject): JsonDraft | undefined {
  return ['Complete', 'Failed']
    .map((type) => conditionOf(job, type))
    .find((condition) => condition?.['status'] === 'True');
}

/** Runs the Pods of a Job until enough of them have succeeded or too many have failed. */
export class JobController implements Controller {
  readonly name = 'job-controller';
  readonly #setting: ControllerSetting;
  readonly #backOff = new JobBackOff();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe(event: FeedEvent, queue: KeyQueue): void {
    const { type, bucket: changed, object } = event;
    queueOwners(event, jobKind, { index: this.#setting.index, queue });
    if (changed === bucket && type === 'DELETED') {
      queue.add(keyText(object.metadata));
      this.#backOff.forget(keyText(object.metadata));
    }
    if (changed !== '/pods' || type === 'DELETED' || !isTracked(object)) return;
    if (controlledBy(object) === undefined) queue.add(keyText({ ...object.metadata, name: '' }));
  }

  *sync(key: string, queue: KeyQueue): Steps<void> {
    const job = this.#setting.registry.builtIn('batch/v1/jobs').find(parseKey(key));
    if (job === undefined) {
      yield* this.#releaseOrphans(parseKey(key).namespace);
      return;
    }
    const manager = stringAt(job, 'spec', 'managedBy');
    if (manager !== '' && manager !== ours) return;
    if (isJobFinished(job)) {
      for (const pod of this.#setting.index.controlledBy(job, '/pods').filter(isTracked)) {
        yield* releasePod(this.#setting, pod);
      }
      return;
    }
    const pods = yield* claimed(this.#setting, {
      owner: job,
      bucket: '/pods',
      selector: ownerSelector(job),
      name: this.name,
      finalizer: trackingFinalizer,
    });
    const work = new JobWork(this.#setting, job, { pods, backOff: this.#backOff, key });
    yield* work.advance();
    if (work.againInMs !== undefined) queue.addAfter(key, work.againInMs);
  }

  /** Removes the tracking finalizer from the Pods of deleted Jobs, because no Job counts these Pods. */
  *#releaseOrphans(namespace: string | undefined): Steps<void> {
    const { registry, index } = this.#setting;
    const breaks = new Breaks();
    for (const pod of index.inNamespace('/pods', namespace)) {
      if (breaks.isDue()) yield;
      if (!isTracked(pod)) continue;
      const controller = controlledBy(pod);
      const key = controllerKey(pod, jobKind);
      if (controller !== undefined && key === undefined) continue;
      const owner = key === undefined ? undefined : registry.builtIn('batch/v1/jobs').find(parseKey(key));
      if (owner === undefined || owner.metadata.uid !== controller?.uid) yield* releasePod(this.#setting, pod);
    }
  }
}

/** Deletes a finished Job after its `ttlSecondsAfterFinished`. */
export class JobTtlController implements Controller {
  readonly name = 'ttl-after-finished-controller';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket: changed, object: job }: FeedEvent, queue: KeyQueue): void {
    if (changed !== bucket || type === 'DELETED' || !isJobFinished(job)) return;
    if (numberAt(job, 'spec', 'ttlSecondsAfterFinished') !== undefined) queue.add(keyText(job.metadata));
  }

  *sync(key: string, queue: KeyQueue): Steps<void> {
    const { registry } = this.#setting;
    const jobs = registry.builtIn('batch/v1/jobs');
    const job = jobs.find(parseKey(key));
    const ttl = numberAt(job, 'spec', 'ttlSecondsAfterFinished');
    if (job === undefined || ttl === undefined || !isJobFinished(job)) return;
    if (job.metadata.deletionTimestamp !== undefined) return;
    const dueMs = Date.parse(stringAt(endCondition(job), 'lastTransitionTime')) + ttl * 1000;
    const leftMs = dueMs - registry.clock.now().getTime();
    if (leftMs > 0) {
      queue.addAfter(key, leftMs);
      return;
    }
    const options = { propagationPolicy: 'Foreground', preconditions: { uid: job.metadata.uid } };
    yield* jobs.deleteSteps(job.metadata, options, controllerContext(this.name, 'delete'));
  }
}
