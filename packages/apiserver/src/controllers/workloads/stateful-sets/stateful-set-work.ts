import { type Steps, withBreak } from '@kubewright/api/apply';
import { ApiError, isAlreadyExists, isNotFound } from '@kubewright/api/errors';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { numberAt, objectAt, stringAt, valueAt } from '../../../registry/objects/json-object.js';
import type { ControllerSetting } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { isNamespaceTerminating } from '../pods/pod-control.js';
import { availableInMs, isFinished, isReady } from '../../objects/pod-state.js';
import { templateOf } from '../pods/revision-history.js';
import { createClaims, hasStaleClaim, keepRetention } from './stateful-set-claims.js';
import {
  hasIdentity,
  identityLabels,
  numberedPod,
  ordinalOf,
  ordinalsOf,
  podName,
  revisionLabel,
} from './stateful-set-identity.js';

const by = { name: 'statefulset-controller', component: 'statefulset-controller' };

/** The revisions of a set's Pods before and after an update. */
export interface StatefulSetRevisions {
  readonly current: ApiObject;
  readonly update: ApiObject;
}

/** The maximum number of Pods that one sync creates. */
const burst = 50;
/** The number of ordinals that one step checks. */
const podsInStep = 100;

/**
 * One reconcile of a StatefulSet and its Pods. Creates a missing Pod after the earlier Pods are available. With the podManagementPolicy
 * `Parallel`, does not wait for the earlier Pods.
 */
export class StatefulSetWork {
  readonly #setting: ControllerSetting;
  readonly #set: ApiObject;
  readonly #revisions: StatefulSetRevisions;
  readonly #ordered: boolean;
  #created = 0;

  constructor(setting: ControllerSetting, set: ApiObject, revisions: StatefulSetRevisions) {
    this.#setting = setting;
    this.#set = set;
    this.#revisions = revisions;
    this.#ordered = stringAt(set, 'spec', 'podManagementPolicy') !== 'Parallel';
  }

  /**
   * Creates, deletes and updates Pods until the next change must wait for a Pod, or until the maximum number of Pods per sync is created.
   * Throws the first error.
   */
  *advance(pods: readonly ApiObject[]): Steps<void> {
    const { first, end } = ordinalsOf(this.#set);
    const known = new Map<number, ApiObject>();
    const surplus: { readonly ordinal: number; readonly pod: ApiObject }[] = [];
    for (const pod of pods) {
      const ordinal = ordinalOf(this.#set, pod);
      if (ordinal >= first && ordinal < end) known.set(ordinal, pod);
      else surplus.push({ ordinal, pod });
    }
    if (yield* this.#waitsForReplicas(known)) return;
    const surplusPods = surplus.toSorted((a, b) => b.ordinal - a.ordinal).map(({ pod }) => pod);
    for (const pod of surplusPods) yield* keepRetention(this.#setting, this.#set, pod);
    const firstUnavailable = this.#firstUnavailable(known, surplusPods);
    for (const pod of surplusPods) {
      if ((yield* this.#waitsForSurplusPods(pod, firstUnavailable)) && this.#ordered) return;
    }
    if (stringAt(this.#set, 'spec', 'updateStrategy', 'type') !== 'OnDelete') yield* this.#update(known);
  }

  /** Reconciles the Pods in the order of their ordinals. Returns whether the other Pods must wait. */
  *#waitsForReplicas(known: ReadonlyMap<number, ApiObject>): Steps<boolean> {
    const { first, end } = ordinalsOf(this.#set);
    // After the maximum number of Pods, the events of the created Pods queue the StatefulSet again.
    for (let ordinal = first; ordinal < end && this.#created < burst; ordinal += 1) {
      if (ordinal % podsInStep === podsInStep - 1) yield;
      if ((yield* this.#waitsForReplica(ordinal, known.get(ordinal))) && this.#ordered) return true;
    }
    return false;
  }

  /** Reconciles one Pod. Returns whether the next Pod must wait for this Pod. */
  *#waitsForReplica(ordinal: number, pod: ApiObject | undefined): Steps<boolean> {
    if (pod === undefined) {
      if (!(yield* hasStaleClaim(this.#setting, this.#set, ordinal))) yield* this.#create(ordinal);
      return true;
    }
    if (isFinished(pod)) {
      if (pod.metadata.deletionTimestamp === undefined) yield* this.#delete(pod);
      return true;
    }
    if (stringAt(pod, 'status', 'phase') === 'Pending') {
      yield* createClaims(this.#setting, this.#set, ordinal);
      yield* keepRetention(this.#setting, this.#set, pod);
    }
    if (pod.metadata.deletionTimestamp !== undefined || !this.#isAvailable(pod)) {
      if (this.#ordered) return true;
    }
    yield* keepRetention(this.#setting, this.#set, pod);
    if (!hasIdentity(this.#set, pod)) yield* this.#restoreIdentity(ordinal, pod);
    return false;
  }

  /**
   * Deletes a surplus Pod that is not being deleted. In an ordered StatefulSet, deletes an unavailable Pod only if the Pod is
   * `firstUnavailable`. Always returns true, because the next Pod must wait for this Pod.
   */
  *#waitsForSurplusPods(pod: ApiObject, firstUnavailable: ApiObject | undefined): Steps<boolean> {
    if (pod.metadata.deletionTimestamp !== undefined) return true;
    if (this.#ordered && !this.#isAvailable(pod) && pod !== firstUnavailable) return true;
    yield* this.#delete(pod);
    return true;
  }

  /**
   * Deletes the Pod with the highest ordinal that does not have the update revision, if all Pods with higher ordinals are updated and
   * available. Does not delete Pods below the partition.
   */
  *#update(known: ReadonlyMap<number, ApiObject>): Steps<void> {
    const { first, end } = ordinalsOf(this.#set);
    const least = first + (numberAt(this.#set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0);
    for (let ordinal = end - 1; ordinal >= least; ordinal -= 1) {
      const pod = known.get(ordinal);
      if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
      if (pod.metadata.labels?.[revisionLabel] !== this.#revisions.update.metadata.name) {
        yield* this.#delete(pod);
        return;
      }
      if (!this.#isAvailable(pod)) return;
    }
  }

  *#create(ordinal: number): Steps<void> {
    const revision = this.#revisionFor(ordinal);
    this.#created += 1;
    try {
      yield* createClaims(this.#setting, this.#set, ordinal);
      const pod = numberedPod(this.#set, { ordinal, template: templateOf(revision), revision: revision.metadata.name });
      yield;
      const created = yield* this.#pods.createSteps(pod, controllerContext(by.name, 'create'));
      yield* keepRetention(this.#setting, this.#set, created);
      this.#say('Create', podName(this.#set, ordinal));
    } catch (error) {
      if (!isAlreadyExists(error) && !isNamespaceTerminating(error)) {
        this.#say('Create', podName(this.#set, ordinal), error);
      }
      if (!isNamespaceTerminating(error)) throw error;
    }
  }

  *#delete(pod: ApiObject): Steps<void> {
    try {
      yield* this.#pods.deleteSteps(
        pod.metadata,
        { preconditions: { uid: pod.metadata.uid } },
        controllerContext(by.name, 'delete'),
      );
    } catch (error) {
      if (!isNotFound(error)) {
        this.#say('Delete', pod.metadata.name, error);
        throw error;
      }
    }
    this.#say('Delete', pod.metadata.name);
  }

  *#restoreIdentity(ordinal: number, pod: ApiObject): Steps<void> {
    const change = withBreak((live: ApiObject) => {
      const labels = { ...live.metadata.labels, ...identityLabels(this.#set, ordinal) };
      return { ...live, metadata: { ...live.metadata, labels } };
    });
    try {
      yield* this.#pods.updateSteps(pod.metadata, change, controllerContext(by.name, 'update'));
      this.#say('Update', pod.metadata.name);
    } catch (error) {
      this.#say('Update', pod.metadata.name, error);
      throw error;
    }
  }

  /**
   * Returns the revision for a new Pod. With the strategy RollingUpdate, Pods below the partition get the current revision. Without a
   * partition, the first `status.currentReplicas` Pods get the current revision.
   */
  #revisionFor(ordinal: number): ApiObject {
    const strategy = objectAt(this.#set, 'spec', 'updateStrategy');
    const { first } = ordinalsOf(this.#set);
    const partition = numberAt(strategy, 'rollingUpdate', 'partition');
    const kept = partition ?? numberAt(this.#set, 'status', 'currentReplicas') ?? 0;
    const isOld = valueAt(strategy, 'type') === 'RollingUpdate' && ordinal < first + kept;
    return isOld ? this.#revisions.current : this.#revisions.update;
  }

  /** Returns the unavailable Pod with the lowest ordinal. Desired Pods have precedence over surplus Pods. */
  #firstUnavailable(known: ReadonlyMap<number, ApiObject>, surplusPods: readonly ApiObject[]): ApiObject | undefined {
    let least = Infinity;
    for (const [ordinal, pod] of known) if (ordinal < least && !this.#isAvailable(pod)) least = ordinal;
    return known.get(least) ?? surplusPods.findLast((pod) => !this.#isAvailable(pod));
  }

  #isAvailable(pod: ApiObject): boolean {
    const minReadySeconds = numberAt(this.#set, 'spec', 'minReadySeconds') ?? 0;
    const now = this.#setting.registry.clock.now();
    const running = stringAt(pod, 'status', 'phase') === 'Running' && pod.metadata.deletionTimestamp === undefined;
    return running && isReady(pod) && availableInMs(pod, { minReadySeconds, now }) === 0;
  }

  #say(verb: 'Create' | 'Delete' | 'Update', pod: string, error?: unknown): void {
    const what = `${verb} Pod ${pod} in StatefulSet ${this.#set.metadata.name}`;
    const failed = error !== undefined;
    const why = error instanceof ApiError || error instanceof Error ? error.message : String(error);
    const message = failed ? `${what} failed error: ${why}` : `${what} successful`;
    const reason = `${failed ? 'Failed' : 'Successful'}${verb}`;
    this.#setting.events.record(this.#set, { type: failed ? 'Warning' : 'Normal', reason, message }, by);
  }

  get #pods() {
    return this.#setting.registry.builtIn('/v1/pods');
  }
}
