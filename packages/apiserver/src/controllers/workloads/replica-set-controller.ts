import { ApiError } from '@kubewright/api/errors';
import { labelSelectorFromObject } from '@kubewright/api/selectors';
import { type ApiObject, numberAt, objectAt } from '../../registry/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../controller.js';
import { controllerContext } from '../controller-context.js';
import { keyText, parseKey } from '../object-reference.js';
import type { FeedEvent } from '../resource-feed.js';
import { claimed } from './claims.js';
import { controlledBy, controllerKey } from './controller-reference.js';
import { inOrderOfDeletion } from './deletion-order.js';
import { createPod, deletePod, isNamespaceTerminating, podOf } from './pod-control.js';
import { isActive, isTerminating, readiness } from './pod-state.js';
import { withReplicaSetStatus } from './replica-set-status.js';

const bucket = 'apps/replicasets';
/** How many Pods are made or deleted in one go. */
const burst = 50;
const by = { name: 'replicaset-controller', component: 'replicaset-controller' };

/** Keeps as many Pods as a ReplicaSet asks for, and says in its status how many there are. */
export class ReplicaSetController implements Controller {
  readonly name = by.name;
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket: changed, object }: FeedEvent, queue: KeyQueue): void {
    if (changed === bucket && type !== 'DELETED') queue.add(keyText(object.metadata));
    if (changed !== '/pods') return;
    const pod = object as unknown as ApiObject;
    const key = controllerKey(pod, { group: 'apps', kind: 'ReplicaSet' });
    if (key !== undefined) queue.add(key);
    else if (controlledBy(pod) === undefined && type !== 'DELETED') this.#addMatching(pod, queue);
  }

  sync(key: string, queue: KeyQueue): void {
    const replicaSet = this.#replicaSets.find(parseKey(key));
    if (replicaSet === undefined) return;
    const selector = labelSelectorFromObject(objectAt(replicaSet, 'spec', 'selector'));
    const claim = { owner: replicaSet, bucket: '/pods', selector, name: this.name, adopts: isActive };
    const pods = claimed(this.#setting, claim);
    const active = pods.filter(isActive);
    const failure = replicaSet.metadata.deletionTimestamp === undefined ? this.#manage(replicaSet, active) : undefined;
    const now = this.#setting.registry.clock.now();
    const minReadySeconds = numberAt(replicaSet, 'spec', 'minReadySeconds') ?? 0;
    const counts = readiness(active, { minReadySeconds, now });
    const terminating = pods.filter(isTerminating).length;
    // The counts are of the Pods before this sync, as those of a real controller; their events bring the set back here.
    const change = (live: ApiObject): unknown =>
      withReplicaSetStatus(live, { active, terminating, counts, failure: failure?.message, now });
    this.#replicaSets.update(replicaSet.metadata, change, controllerContext(this.name, 'update', 'status'));
    if (failure !== undefined) throw failure;
    if (counts.nextInMs !== undefined) queue.addAfter(key, counts.nextInMs);
  }

  /** Makes the Pods that are missing and deletes those that are too many; what went wrong, if something did. */
  #manage(replicaSet: ApiObject, active: readonly ApiObject[]): ApiError | undefined {
    const surplus = active.length - (numberAt(replicaSet, 'spec', 'replicas') ?? 1);
    try {
      for (let count = 0; count < Math.min(-surplus, burst); count += 1) {
        createPod(this.#setting, replicaSet, { pod: podOf(replicaSet, objectAt(replicaSet, 'spec', 'template')), by });
      }
      if (surplus > 0) {
        const now = this.#setting.registry.clock.now();
        for (const pod of inOrderOfDeletion(active, now).slice(0, Math.min(surplus, burst))) {
          deletePod(this.#setting, replicaSet, { pod, by });
        }
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return isNamespaceTerminating(error) ? undefined : error;
    }
    return undefined;
  }

  #addMatching(pod: ApiObject, queue: KeyQueue): void {
    for (const set of this.#setting.index.inNamespace(bucket, pod.metadata.namespace)) {
      const selector = labelSelectorFromObject(objectAt(set, 'spec', 'selector'));
      if (!selector.empty && selector.matches(pod.metadata.labels ?? {})) queue.add(keyText(set.metadata));
    }
  }

  get #replicaSets() {
    return this.#setting.registry.builtIn('apps/v1/replicasets');
  }
}
