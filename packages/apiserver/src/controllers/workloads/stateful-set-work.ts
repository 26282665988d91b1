import { ApiError, isAlreadyExists, isNotFound } from '@kubewright/api/errors';
import { type ApiObject, numberAt, objectAt, stringAt, valueAt } from '../../registry/json-object.js';
import type { ControllerSetting } from '../controller.js';
import { controllerContext } from '../controller-context.js';
import { isNamespaceTerminating } from './pod-control.js';
import { availableInMs, isFinished, isReady } from './pod-state.js';
import { templateOf } from './revision-history.js';
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

/** The two revisions that Pods of a set may be of: that before the update, and that which it leads to. */
export interface StatefulSetRevisions {
  readonly current: ApiObject;
  readonly update: ApiObject;
}

/** One look at a StatefulSet and its Pods: what it lacks is made, one Pod after the other unless it allows all at once. */
export class StatefulSetWork {
  readonly #setting: ControllerSetting;
  readonly #set: ApiObject;
  readonly #revisions: StatefulSetRevisions;
  readonly #ordered: boolean;

  constructor(setting: ControllerSetting, set: ApiObject, revisions: StatefulSetRevisions) {
    this.#setting = setting;
    this.#set = set;
    this.#revisions = revisions;
    this.#ordered = stringAt(set, 'spec', 'podManagementPolicy') !== 'Parallel';
  }

  /** Goes as far as it can without waiting. Throws what kept it from making a Pod or a claim. */
  advance(pods: readonly ApiObject[]): void {
    const { first, end } = ordinalsOf(this.#set);
    const isWanted = (pod: ApiObject): boolean => ordinalOf(this.#set, pod) >= first && ordinalOf(this.#set, pod) < end;
    const condemned = pods
      .filter((pod) => !isWanted(pod))
      .toSorted((a, b) => ordinalOf(this.#set, b) - ordinalOf(this.#set, a));
    const known = new Map(pods.filter(isWanted).map((pod) => [ordinalOf(this.#set, pod), pod]));
    for (let ordinal = first; ordinal < end; ordinal += 1) {
      if (this.#waitsForReplica(ordinal, known.get(ordinal)) && this.#ordered) return;
    }
    for (const pod of condemned) keepRetention(this.#setting, this.#set, pod);
    const firstUnavailable = this.#firstUnavailable(known, condemned);
    for (const pod of condemned) if (this.#waitsForCondemned(pod, firstUnavailable) && this.#ordered) return;
    if (stringAt(this.#set, 'spec', 'updateStrategy', 'type') !== 'OnDelete') this.#update(known);
  }

  /** Brings one Pod to what it has to be; whether the next has to wait for it. */
  #waitsForReplica(ordinal: number, pod: ApiObject | undefined): boolean {
    if (pod === undefined) {
      if (!hasStaleClaim(this.#setting, this.#set, ordinal)) this.#create(ordinal);
      return true;
    }
    if (isFinished(pod)) {
      if (pod.metadata.deletionTimestamp === undefined) this.#delete(pod);
      return true;
    }
    if (stringAt(pod, 'status', 'phase') === 'Pending') createClaims(this.#setting, this.#set, ordinal);
    if (pod.metadata.deletionTimestamp !== undefined || !this.#isAvailable(pod)) {
      if (this.#ordered) return true;
    }
    keepRetention(this.#setting, this.#set, pod);
    if (!hasIdentity(this.#set, pod)) this.#restoreIdentity(ordinal, pod);
    return false;
  }

  /** Removes a Pod that is too many; whether the next has to wait for it. */
  #waitsForCondemned(pod: ApiObject, firstUnavailable: ApiObject | undefined): boolean {
    if (pod.metadata.deletionTimestamp !== undefined) return true;
    if (this.#ordered && !this.#isAvailable(pod) && pod !== firstUnavailable) return true;
    this.#delete(pod);
    return true;
  }

  /** Deletes the Pod of another revision with the highest number, once all above it are updated and available. */
  #update(known: ReadonlyMap<number, ApiObject>): void {
    const { first, end } = ordinalsOf(this.#set);
    const least = first + (numberAt(this.#set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0);
    for (let ordinal = end - 1; ordinal >= least; ordinal -= 1) {
      const pod = known.get(ordinal);
      if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
      if (pod.metadata.labels?.[revisionLabel] !== this.#revisions.update.metadata.name) {
        this.#delete(pod);
        return;
      }
      if (!this.#isAvailable(pod)) return;
    }
  }

  #create(ordinal: number): void {
    const revision = this.#revisionFor(ordinal);
    try {
      createClaims(this.#setting, this.#set, ordinal);
      const pod = numberedPod(this.#set, { ordinal, template: templateOf(revision), revision: revision.metadata.name });
      const created = this.#pods.create(pod, controllerContext(by.name, 'create'));
      keepRetention(this.#setting, this.#set, created);
      this.#say('Create', podName(this.#set, ordinal));
    } catch (error) {
      if (!isAlreadyExists(error) && !isNamespaceTerminating(error)) {
        this.#say('Create', podName(this.#set, ordinal), error);
      }
      if (!isNamespaceTerminating(error)) throw error;
    }
  }

  #delete(pod: ApiObject): void {
    try {
      this.#pods.delete(
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

  #restoreIdentity(ordinal: number, pod: ApiObject): void {
    const labels = { ...pod.metadata.labels, ...identityLabels(this.#set, ordinal) };
    const change = (live: ApiObject): unknown => ({ ...live, metadata: { ...live.metadata, labels } });
    try {
      this.#pods.update(pod.metadata, change, controllerContext(by.name, 'update'));
      this.#say('Update', pod.metadata.name);
    } catch (error) {
      this.#say('Update', pod.metadata.name, error);
      throw error;
    }
  }

  /** Below the partition, or among those that are not updated yet, a new Pod is of the revision before the update. */
  #revisionFor(ordinal: number): ApiObject {
    const strategy = objectAt(this.#set, 'spec', 'updateStrategy');
    const { first } = ordinalsOf(this.#set);
    const partition = numberAt(strategy, 'rollingUpdate', 'partition');
    const kept = partition ?? numberAt(this.#set, 'status', 'currentReplicas') ?? 0;
    const isOld = valueAt(strategy, 'type') === 'RollingUpdate' && ordinal < first + kept;
    return isOld ? this.#revisions.current : this.#revisions.update;
  }

  #firstUnavailable(known: ReadonlyMap<number, ApiObject>, condemned: readonly ApiObject[]): ApiObject | undefined {
    const { first, end } = ordinalsOf(this.#set);
    for (let ordinal = first; ordinal < end; ordinal += 1) {
      const pod = known.get(ordinal);
      if (pod !== undefined && !this.#isAvailable(pod)) return pod;
    }
    return condemned.findLast((pod) => !this.#isAvailable(pod));
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
