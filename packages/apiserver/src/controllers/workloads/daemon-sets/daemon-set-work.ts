import type { Steps } from '@kubewright/api/apply';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { numberAt, objectAt, stringAt } from '../../../registry/objects/json-object.js';
import type { ControllerSetting } from '../../work/controller.js';
import { daemonHashLabel, daemonPod, type NodeChoice, nodeChooser, nodeOf } from './daemon-pod.js';
import { createPod, deletePod } from '../pods/pod-control.js';
import { availableInMs, isReady } from '../../objects/pod-state.js';
import { scaledAmount } from '../../objects/scaled-amount.js';

const by = { name: 'daemon-set-controller', component: 'daemonset-controller' };
const firstBackOffMs = 1000;
const longestBackOffMs = 15 * 60_000;

interface Place extends NodeChoice {
  readonly node: ApiObject;
  readonly pods: readonly ApiObject[];
}

/** The back-off after failed Pods. The key consists of the UID and the generation of the DaemonSet, and of the name of the node. */
export type BackOffs = Map<string, { readonly waitMs: number; readonly untilMs: number }>;

/** One reconcile of a DaemonSet and its Pods on all nodes. */
export class DaemonSetWork {
  readonly #setting: ControllerSetting;
  readonly #set: ApiObject;
  readonly #hash: string;
  readonly #places: readonly Place[];
  #hasChanged = false;
  /** The milliseconds until the next failed Pod can be replaced. */
  againInMs: number | undefined;

  private constructor(
    setting: ControllerSetting,
    set: ApiObject,
    options: { readonly hash: string; readonly places: readonly Place[] },
  ) {
    this.#setting = setting;
    this.#set = set;
    this.#hash = options.hash;
    this.#places = options.places;
  }

  /** Assigns the Pods of a DaemonSet to their nodes, in steps, and returns the work for these nodes. */
  static *of(
    setting: ControllerSetting,
    set: ApiObject,
    options: { readonly hash: string; readonly nodes: readonly ApiObject[]; readonly pods: readonly ApiObject[] },
  ): Steps<DaemonSetWork> {
    const byNode = new Map<string, ApiObject[]>();
    for (const pod of options.pods) {
      const node = nodeOf(pod);
      const others = byNode.get(node);
      if (others === undefined) byNode.set(node, [pod]);
      else others.push(pod);
    }
    const choose = nodeChooser(set);
    const places: Place[] = [];
    for (const node of options.nodes) {
      const pods = (byNode.get(node.metadata.name) ?? []).toSorted(byPhaseAndAge);
      places.push({ node, ...(yield* choose(node)), pods });
    }
    return new DaemonSetWork(setting, set, { hash: options.hash, places });
  }

  /** Creates and deletes Pods so that each selected node has its Pod. Returns true if no Pod was created or deleted. */
  *manage(backOffs: BackOffs): Steps<boolean> {
    for (const place of this.#places) yield* this.#manageNode(place, backOffs);
    return !this.#hasChanged;
  }

  /** Replaces Pods of an earlier template, within the limits of the strategy. */
  *update(): Steps<void> {
    const desired = this.#places.filter(({ run }) => run);
    const rolling = objectAt(this.#set, 'spec', 'updateStrategy', 'rollingUpdate');
    const surge = scaledAmount(rolling['maxSurge'], desired.length, Math.ceil);
    const unavailable = scaledAmount(rolling['maxUnavailable'], desired.length, Math.ceil);
    if (surge === 0) yield* this.#replace(Math.max(1, unavailable));
    else yield* this.#surge(surge);
  }

  /** Returns the status that results from the nodes and Pods, and the milliseconds until the next Pod becomes available. */
  status(): { readonly status: JsonDraft; readonly nextInMs: number | undefined } {
    const desired = this.#places.filter(({ run }) => run);
    const first = desired.map(({ pods }) => pods[0]).filter((pod) => pod !== undefined);
    const ready = first.filter(isReady);
    const delays = ready.map((pod) => this.#availableInMs(pod) ?? 0);
    const available = delays.filter((delay) => delay === 0).length;
    const updated = first.filter((pod) => pod.metadata.labels?.[daemonHashLabel] === this.#hash).length;
    const status: JsonDraft = {
      currentNumberScheduled: first.length,
      desiredNumberScheduled: desired.length,
      numberMisscheduled: this.#places.filter(({ run, pods }) => !run && pods.length > 0).length,
      numberReady: ready.length,
      observedGeneration: this.#set.metadata.generation,
    };
    if (updated > 0) status['updatedNumberScheduled'] = updated;
    if (available > 0) status['numberAvailable'] = available;
    if (desired.length > available) status['numberUnavailable'] = desired.length - available;
    const collisions = numberAt(this.#set, 'status', 'collisionCount');
    if (collisions !== undefined) status['collisionCount'] = collisions;
    const waiting = delays.filter((delay) => delay > 0);
    return {
      status,
      nextInMs: waiting.length === 0 ? undefined : waiting.reduce((least, delay) => Math.min(least, delay)),
    };
  }

  *#manageNode({ node, run, stay, pods }: Place, backOffs: BackOffs): Steps<void> {
    const active = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (run && pods.length === 0) {
      yield* this.#create(node);
      return;
    }
    if (!stay) {
      for (const pod of active) yield* this.#delete(pod);
      return;
    }
    const running: ApiObject[] = [];
    for (const pod of active) if (!(yield* this.#removeEnded(pod, node, backOffs))) running.push(pod);
    if (!this.#surges) {
      for (const pod of running.slice(1)) yield* this.#delete(pod);
    } else if (run && running.length === 0) {
      yield* this.#create(node);
    } else yield* this.#removeSurplus(running);
  }

  /**
   * Deletes a Pod that has ended, and returns whether the Pod has ended. If an earlier Pod has failed on the node, a failed Pod is deleted
   * only after the back-off.
   */
  *#removeEnded(pod: ApiObject, node: ApiObject, backOffs: BackOffs): Steps<boolean> {
    const phase = stringAt(pod, 'status', 'phase');
    const where = `${pod.metadata.namespace}/${pod.metadata.name} on node ${node.metadata.name}`;
    if (phase === 'Succeeded') {
      this.#say('Normal', 'SucceededDaemonPod', `Found succeeded daemon pod ${where}, will try to delete it`);
      yield* this.#delete(pod);
    } else if (phase === 'Failed') {
      const key = `${this.#set.metadata.uid}/${this.#set.metadata.generation}/${node.metadata.name}`;
      const nowMs = this.#setting.registry.clock.monotonicMs();
      const known = backOffs.get(key);
      if (known !== undefined && known.untilMs > nowMs) {
        this.againInMs = Math.min(this.againInMs ?? Infinity, known.untilMs - nowMs);
        return true;
      }
      const waitMs = known === undefined ? firstBackOffMs : Math.min(known.waitMs * 2, longestBackOffMs);
      backOffs.set(key, { waitMs, untilMs: nowMs + waitMs });
      this.#say('Warning', 'FailedDaemonPod', `Found failed daemon pod ${where}, will try to kill it`);
      yield* this.#delete(pod);
    } else return false;
    return true;
  }

  /**
   * Deletes surplus Pods of a node. If the node has a Pod of an earlier template and a Pod of the current template, deletes the earlier Pod
   * if this Pod is not ready or the current Pod is available.
   */
  *#removeSurplus(running: readonly ApiObject[]): Steps<void> {
    if (running.length <= 1) return;
    const isNew = (pod: ApiObject): boolean => pod.metadata.labels?.[daemonHashLabel] === this.#hash;
    const [fresh, ...otherNew] = running.filter(isNew);
    const [old, ...otherOld] = running.filter((pod) => !isNew(pod));
    for (const pod of [...otherNew, ...otherOld]) yield* this.#delete(pod);
    if (fresh === undefined || old === undefined) return;
    if (!isReady(old) || this.#availableInMs(fresh) === 0) yield* this.#delete(old);
  }

  *#replace(most: number): Steps<void> {
    let unavailable = 0;
    const candidates: ApiObject[] = [];
    for (const { fresh, old } of this.#pairs()) {
      if ((fresh === undefined) === (old === undefined)) unavailable += 1;
      else if (fresh !== undefined) unavailable += this.#availableInMs(fresh) === 0 ? 0 : 1;
      else if (old !== undefined && this.#availableInMs(old) !== 0) {
        unavailable += 1;
        yield* this.#delete(old);
      } else if (old !== undefined) candidates.push(old);
    }
    for (const pod of candidates.slice(0, Math.max(0, most - unavailable))) yield* this.#delete(pod);
  }

  *#surge(most: number): Steps<void> {
    let surging = 0;
    const candidates: ApiObject[] = [];
    for (const { node, fresh, old } of this.#pairs()) {
      if (old === undefined) continue;
      if (fresh !== undefined) {
        if (this.#availableInMs(fresh) === 0) yield* this.#delete(old);
        else surging += 1;
      } else if (this.#availableInMs(old) !== 0) yield* this.#create(node);
      else candidates.push(node);
    }
    for (const node of candidates.slice(0, Math.max(0, most - surging))) yield* this.#create(node);
  }

  #pairs() {
    return this.#places
      .filter(({ run, pods }) => run && pods.length > 0)
      .map(({ node, pods }) => {
        const active = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
        const isNew = (pod: ApiObject): boolean => pod.metadata.labels?.[daemonHashLabel] === this.#hash;
        return { node, fresh: active.find(isNew), old: active.find((pod) => !isNew(pod)) };
      });
  }

  *#create(node: ApiObject): Steps<void> {
    const pod = daemonPod(this.#set, { node: node.metadata.name, hash: this.#hash });
    yield;
    this.#hasChanged = true;
    yield* createPod(this.#setting, this.#set, { pod, by });
  }

  *#delete(pod: ApiObject): Steps<void> {
    this.#hasChanged = true;
    yield* deletePod(this.#setting, this.#set, { pod, by });
  }

  #say(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#setting.events.record(this.#set, { type, reason, message }, by);
  }

  #availableInMs(pod: ApiObject): number | undefined {
    const minReadySeconds = numberAt(this.#set, 'spec', 'minReadySeconds') ?? 0;
    return availableInMs(pod, { minReadySeconds, now: this.#setting.registry.clock.now() });
  }

  get #surges(): boolean {
    const surge = objectAt(this.#set, 'spec', 'updateStrategy', 'rollingUpdate')['maxSurge'];
    return surge !== undefined && surge !== 0 && surge !== '0%';
  }
}

function byPhaseAndAge(a: ApiObject, b: ApiObject): number {
  const pending = (pod: ApiObject): number => Number(stringAt(pod, 'spec', 'nodeName') === '');
  const made = ({ metadata }: ApiObject): number => Date.parse(metadata.creationTimestamp);
  return pending(a) - pending(b) || made(a) - made(b) || (a.metadata.name < b.metadata.name ? -1 : 1);
}
