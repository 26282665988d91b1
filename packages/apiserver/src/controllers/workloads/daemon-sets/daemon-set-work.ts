import type { Steps } from '@kubewright/api/apply';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { numberAt, objectAt, stringAt } from '../../../registry/objects/json-object.js';
import type { ControllerSetting } from '../../work/controller.js';
import { currentPods, daemonPod, type NodeChoice, nodeChooser, nodeOf } from './daemon-pod.js';
import { createPod, deletePod } from '../pods/pod-control.js';
import { availableInMs, isFinished, isReady } from '../../objects/pod-state.js';
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
  /** The Pods that wait for a node that does not exist. */
  readonly #strays: readonly ApiObject[];
  readonly #isCurrent: (pod: ApiObject) => boolean;
  #hasChanged = false;
  /** The milliseconds until the next failed Pod can be replaced. */
  againInMs: number | undefined;

  private constructor(
    setting: ControllerSetting,
    set: ApiObject,
    options: { readonly hash: string; readonly places: readonly Place[]; readonly strays: readonly ApiObject[] },
  ) {
    this.#setting = setting;
    this.#set = set;
    this.#hash = options.hash;
    this.#places = options.places;
    this.#strays = options.strays;
    this.#isCurrent = currentPods(set, options.hash);
  }

  /** Assigns the Pods of a DaemonSet to their nodes, in steps, and returns the work for these nodes. */
  static *of(
    setting: ControllerSetting,
    set: ApiObject,
    options: { readonly hash: string; readonly nodes: readonly ApiObject[]; readonly pods: readonly ApiObject[] },
  ): Steps<DaemonSetWork> {
    const byNode = new Map<string, ApiObject[]>();
    for (const pod of options.pods) {
      if (isFinished(pod) && pod.metadata.deletionTimestamp !== undefined) continue;
      const node = nodeOf(pod);
      const others = byNode.get(node);
      if (others === undefined) byNode.set(node, [pod]);
      else others.push(pod);
    }
    const choose = nodeChooser(set);
    const places: Place[] = [];
    for (const node of options.nodes) {
      const pods = (byNode.get(node.metadata.name) ?? []).toSorted(byPhaseAndAge);
      byNode.delete(node.metadata.name);
      places.push({ node, ...(yield* choose(node)), pods });
    }
    byNode.delete('');
    const strays = [...byNode.values()]
      .flat()
      .filter((pod) => stringAt(pod, 'spec', 'nodeName') === '' && pod.metadata.deletionTimestamp === undefined);
    return new DaemonSetWork(setting, set, { hash: options.hash, places, strays });
  }

  /** Creates and deletes Pods so that each selected node has its Pod. Returns true if no Pod was created or deleted. */
  *manage(backOffs: BackOffs): Steps<boolean> {
    for (const place of this.#places) yield* this.#manageNode(place, backOffs);
    for (const pod of this.#strays) yield* this.#delete(pod);
    return !this.#hasChanged;
  }

  /** Replaces Pods of an earlier template, within the limits of the strategy. */
  *update(): Steps<void> {
    const desired = this.#places.filter(({ run }) => run);
    const rolling = objectAt(this.#set, 'spec', 'updateStrategy', 'rollingUpdate');
    const surge = scaledAmount(rolling['maxSurge'], desired.length, Math.ceil);
    const unavailable = scaledAmount(rolling['maxUnavailable'], desired.length, Math.ceil);
    if (surge === 0) yield* this.#replace(Math.max(1, unavailable));
    else yield* this.#surge(surge, desired.length);
  }

  /** Returns the status that results from the nodes and Pods, and the milliseconds until the next Pod becomes available. */
  status(): { readonly status: JsonDraft; readonly nextInMs: number | undefined } {
    const desired = this.#places.filter(({ run }) => run);
    const first = desired.map(({ pods }) => pods[0]).filter((pod) => pod !== undefined);
    const ready = first.filter(isReady);
    const delays = ready.map((pod) => this.#availableInMs(pod) ?? 0);
    const available = delays.filter((delay) => delay === 0).length;
    const updated = first.filter(this.#isCurrent).length;
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
    const [fresh, ...otherNew] = running.filter(this.#isCurrent);
    const [old, ...otherOld] = running.filter((pod) => !this.#isCurrent(pod));
    for (const pod of [...otherNew, ...otherOld]) yield* this.#delete(pod);
    if (fresh === undefined || old === undefined) return;
    if (!isReady(old) || this.#isAvailable(fresh)) yield* this.#delete(old);
  }

  *#replace(most: number): Steps<void> {
    let unavailable = 0;
    const candidates: ApiObject[] = [];
    for (const { fresh, old } of this.#pairs()) {
      if ((fresh === undefined) === (old === undefined)) unavailable += 1;
      else if (fresh !== undefined) unavailable += this.#isAvailable(fresh) ? 0 : 1;
      else if (old !== undefined && !this.#isAvailable(old)) {
        unavailable += 1;
        yield* this.#delete(old);
      } else if (old !== undefined) candidates.push(old);
    }
    for (const pod of candidates.slice(0, Math.max(0, most - unavailable))) yield* this.#delete(pod);
  }

  /**
   * Creates Pods next to earlier Pods, and deletes an earlier Pod when the new Pod is available. An available Pod on a node that is no
   * longer selected is deleted when enough other Pods are available.
   */
  *#surge(most: number, desired: number): Steps<void> {
    let surging = 0;
    let available = 0;
    const candidates: ApiObject[] = [];
    const leaving: ApiObject[] = [];
    for (const { node, run, fresh, old, isCrowded } of this.#pairs()) {
      const counted = old ?? fresh;
      if (isCrowded) surging += 1;
      else if (counted !== undefined && this.#isAvailable(counted)) available += 1;
      if (isCrowded || old === undefined) continue;
      if (fresh !== undefined) {
        if (this.#isAvailable(fresh)) yield* this.#delete(old);
        else surging += 1;
      } else if (run && !this.#isAvailable(old)) yield* this.#create(node);
      else if (run) candidates.push(node);
      else if (this.#isAvailable(old)) leaving.push(old);
      else yield* this.#delete(old);
    }
    for (const pod of leaving.slice(0, Math.max(0, available - desired))) yield* this.#delete(pod);
    for (const node of candidates.slice(0, Math.max(0, most - surging))) yield* this.#create(node);
  }

  /**
   * Returns the selected nodes and the other nodes with Pods, each with its current Pod and its earlier Pod. A node with several current or
   * several earlier Pods is crowded: the result does not contain its Pods.
   */
  #pairs() {
    return this.#places
      .filter(({ run, pods }) => run || pods.length > 0)
      .map(({ node, run, pods }) => {
        const active = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
        const fresh = active.filter(this.#isCurrent);
        const old = active.filter((pod) => !this.#isCurrent(pod));
        const isCrowded = fresh.length > 1 || old.length > 1;
        return { node, run, isCrowded, ...(isCrowded ? {} : { fresh: fresh[0], old: old[0] }) };
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

  #isAvailable(pod: ApiObject): boolean {
    return this.#availableInMs(pod) === 0;
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
