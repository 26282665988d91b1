import { type Steps, withBreak } from '@kubewright/api/apply';
import { ApiError } from '@kubewright/api/errors';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { numberAt, objectAt } from '../../../registry/objects/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { controlledBy } from '../../objects/controller-reference.js';
import { parseKey } from '../../objects/object-reference.js';
import { ownerSelector } from '../../objects/owner-selector.js';
import { isActive, isTerminating, readiness } from '../../objects/pod-state.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { claimed } from '../pods/claims.js';
import { queueOwners } from '../pods/owner-queue.js';
import { inOrderOfDeletion } from '../pods/deletion-order.js';
import { filterSteps } from '../pods/filter-steps.js';
import { createPod, deletePod, isNamespaceTerminating, podOf } from '../pods/pod-control.js';
import { type ReplicaKind, replicaSets, replicationControllers } from './replica-kinds.js';
import { withReplicaStatus } from './replica-status.js';

/** The maximum number of Pods that one sync creates or deletes. */
const burst = 50;

/** Maintains the desired number of Pods of a ReplicaSet, and reports the Pods in its status. */
export class ReplicaSetController implements Controller {
  readonly name: string;
  readonly #setting: ControllerSetting;
  readonly #kind: ReplicaKind;

  /** @param kind the kind of the maintained objects. @default ReplicaSet */
  constructor(setting: ControllerSetting, kind: ReplicaKind = replicaSets) {
    this.name = kind.by.name;
    this.#setting = setting;
    this.#kind = kind;
  }

  observe(event: FeedEvent, queue: KeyQueue): void {
    queueOwners(event, this.#kind, { index: this.#setting.index, queue });
  }

  *sync(key: string, queue: KeyQueue): Steps<void> {
    const owner = this.#owners.find(parseKey(key));
    if (owner === undefined) return;
    const claim = { owner, bucket: '/pods', selector: ownerSelector(owner), name: this.name, adopts: isActive };
    const pods = yield* claimed(this.#setting, claim);
    const active = yield* filterSteps(pods, isActive);
    const isDeleted = owner.metadata.deletionTimestamp !== undefined;
    const failure = isDeleted ? undefined : yield* this.#manage(owner, active);
    const now = this.#setting.registry.clock.now();
    const minReadySeconds = numberAt(owner, 'spec', 'minReadySeconds') ?? 0;
    const counts = readiness(active, { minReadySeconds, now });
    const terminating = this.#kind.countsTerminating ? (yield* filterSteps(pods, isTerminating)).length : undefined;
    // The status counts the Pods before this sync, as in Kubernetes. The events of new and deleted Pods queue the owner again.
    const change = withBreak((live: ApiObject) =>
      withReplicaStatus(live, { active, terminating, counts, failure: failure?.message, now }),
    );
    const context = controllerContext(this.name, 'update', 'status');
    yield* this.#owners.updateSteps(owner.metadata, change, context);
    if (failure !== undefined) throw failure;
    if (counts.nextInMs !== undefined) queue.addAfter(key, counts.nextInMs);
  }

  /**
   * Creates missing Pods or deletes surplus Pods. Returns the first error of the API server. Returns undefined if there is no error or if
   * the namespace is being deleted.
   */
  *#manage(owner: ApiObject, active: readonly ApiObject[]): Steps<ApiError | undefined> {
    const { by } = this.#kind;
    const surplus = active.length - (numberAt(owner, 'spec', 'replicas') ?? 1);
    try {
      for (let count = 0; count < Math.min(-surplus, burst); count += 1) {
        const pod = podOf(owner, objectAt(owner, 'spec', 'template'));
        yield;
        yield* createPod(this.#setting, owner, { pod, by });
      }
      if (surplus > 0) {
        const now = this.#setting.registry.clock.now();
        const order = inOrderOfDeletion(active, { now, related: this.#relatedPods(owner) });
        for (const pod of order.slice(0, Math.min(surplus, burst))) yield* deletePod(this.#setting, owner, { pod, by });
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return isNamespaceTerminating(error) ? undefined : error;
    }
    return undefined;
  }

  /** Returns the Pods of all owners that have the same controller, such as the Pods of all ReplicaSets of a Deployment. */
  #relatedPods(owner: ApiObject): readonly ApiObject[] {
    const { index } = this.#setting;
    const controller = controlledBy(owner);
    if (controller === undefined) return index.controlledBy(owner, '/pods');
    return index
      .controlledBy({ metadata: controller }, this.#kind.bucket)
      .flatMap((other) => index.controlledBy(other, '/pods'));
  }

  get #owners() {
    return this.#setting.registry.builtIn(this.#kind.path);
  }
}

/** Maintains the desired number of Pods of a ReplicationController, and reports the Pods in its status. */
export class ReplicationManager extends ReplicaSetController {
  constructor(setting: ControllerSetting) {
    super(setting, replicationControllers);
  }
}
