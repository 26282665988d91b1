import { type Steps, withBreak } from '@kubewright/api/apply';
import { ApiError } from '@kubewright/api/errors';
import { labelSelectorFromObject } from '@kubewright/api/selectors';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { numberAt, objectAt } from '../../../registry/objects/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { parseKey } from '../../objects/object-reference.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { claimed } from '../pods/claims.js';
import { type OwnerKind, queueOwners } from '../pods/owner-queue.js';
import { inOrderOfDeletion } from '../pods/deletion-order.js';
import { filterSteps } from '../pods/filter-steps.js';
import { createPod, deletePod, isNamespaceTerminating, podOf } from '../pods/pod-control.js';
import { isActive, isTerminating, readiness } from '../../objects/pod-state.js';
import { withReplicaSetStatus } from './replica-set-status.js';

const owner: OwnerKind = { bucket: 'apps/replicasets', group: 'apps', kind: 'ReplicaSet', controls: ['/pods'] };
/** The maximum number of Pods that one sync creates or deletes. */
const burst = 50;
const by = { name: 'replicaset-controller', component: 'replicaset-controller' };

/** Maintains the desired number of Pods of a ReplicaSet, and reports the Pods in its status. */
export class ReplicaSetController implements Controller {
  readonly name = by.name;
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe(event: FeedEvent, queue: KeyQueue): void {
    queueOwners(event, owner, { index: this.#setting.index, queue });
  }

  *sync(key: string, queue: KeyQueue): Steps<void> {
    const replicaSet = this.#replicaSets.find(parseKey(key));
    if (replicaSet === undefined) return;
    const selector = labelSelectorFromObject(objectAt(replicaSet, 'spec', 'selector'));
    const claim = { owner: replicaSet, bucket: '/pods', selector, name: this.name, adopts: isActive };
    const pods = yield* claimed(this.#setting, claim);
    const active = yield* filterSteps(pods, isActive);
    const isDeleted = replicaSet.metadata.deletionTimestamp !== undefined;
    const failure = isDeleted ? undefined : yield* this.#manage(replicaSet, active);
    const now = this.#setting.registry.clock.now();
    const minReadySeconds = numberAt(replicaSet, 'spec', 'minReadySeconds') ?? 0;
    const counts = readiness(active, { minReadySeconds, now });
    const terminating = (yield* filterSteps(pods, isTerminating)).length;
    // The status counts the Pods before this sync, as in Kubernetes. The events of new and deleted Pods queue the ReplicaSet again.
    const change = withBreak((live: ApiObject) =>
      withReplicaSetStatus(live, { active, terminating, counts, failure: failure?.message, now }),
    );
    const context = controllerContext(this.name, 'update', 'status');
    yield* this.#replicaSets.updateSteps(replicaSet.metadata, change, context);
    if (failure !== undefined) throw failure;
    if (counts.nextInMs !== undefined) queue.addAfter(key, counts.nextInMs);
  }

  /**
   * Creates missing Pods or deletes surplus Pods. Returns the first error of the API server. Returns undefined if there is no error or if
   * the namespace is being deleted.
   */
  *#manage(replicaSet: ApiObject, active: readonly ApiObject[]): Steps<ApiError | undefined> {
    const surplus = active.length - (numberAt(replicaSet, 'spec', 'replicas') ?? 1);
    try {
      for (let count = 0; count < Math.min(-surplus, burst); count += 1) {
        const pod = podOf(replicaSet, objectAt(replicaSet, 'spec', 'template'));
        yield;
        yield* createPod(this.#setting, replicaSet, { pod, by });
      }
      if (surplus > 0) {
        const now = this.#setting.registry.clock.now();
        for (const pod of inOrderOfDeletion(active, now).slice(0, Math.min(surplus, burst))) {
          yield* deletePod(this.#setting, replicaSet, { pod, by });
        }
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return isNamespaceTerminating(error) ? undefined : error;
    }
    return undefined;
  }

  get #replicaSets() {
    return this.#setting.registry.builtIn('apps/v1/replicasets');
  }
}
