import { type Steps, withBreak } from '@kubewright/api/apply';
import { deepEqual } from '@kubewright/api/patch';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectsAt, valueAt } from '../../../registry/objects/json-object.js';
import { timestamp } from '../../../registry/metadata/metadata-rules.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { hasReviewers } from '../../work/has-reviewers.js';
import { isFinished, nodeOf } from '../../objects/pod-state.js';
import { keyText, parseKey } from '../../objects/object-reference.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { fateOf } from './container-fate.js';
import { kubeletContext } from './kubelet-context.js';
import { PodAddresses } from './pod-addresses.js';
import { hasOutdatedImage, isStarting, type PodStep, podStep, stopsAfterMs } from './pod-progress.js';
import { addressOf } from './simulated-node.js';
import { StateTimes } from './state-times.js';

const source = { component: 'kubelet' };
/** The fields of a Pod that can change the status of running containers. */
const changing = ['activeDeadlineSeconds', 'ephemeralContainers', 'readinessGates'];

/**
 * Simulates the kubelets of the nodes: starts, probes, ends and restarts the containers of Pods as their behavior states, restarts
 * containers whose image changes, and removes Pods that are being deleted. Runs no programs.
 */
export class Kubelet implements Controller {
  readonly name = 'kubelet';
  readonly #setting: ControllerSetting;
  readonly #addresses = new PodAddresses();
  readonly #times: StateTimes;
  /** The keys of the Pods on the nodes of this server, by uid. */
  readonly #keys = new Map<string, string>();
  /** The reported errors in the annotations of each Pod, by uid. */
  readonly #reported = new Map<string, string>();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
    this.#times = new StateTimes(setting.registry.clock);
  }

  start(queue: KeyQueue): void {
    this.#setting.simulated.onChange(() => {
      for (const key of this.#keys.values()) queue.add(key);
    });
  }

  observe({ type, bucket, object: pod }: FeedEvent, queue: KeyQueue): void {
    if (bucket !== '/pods' || !this.#setting.simulated.nodes.has(nodeOf(pod))) return;
    const { uid } = pod.metadata;
    this.#addresses.observe(pod, type === 'DELETED');
    if (type === 'DELETED') {
      this.#times.forget(uid);
      for (const known of [this.#keys, this.#reported]) known.delete(uid);
      return;
    }
    this.#keys.set(uid, keyText(pod.metadata));
    if (this.#hasWork(pod)) queue.add(keyText(pod.metadata));
  }

  *sync(key: string, queue: KeyQueue): Steps<void> {
    const pods = this.#setting.registry.builtIn('/v1/pods');
    const pod = pods.find(parseKey(key));
    if (pod === undefined || !this.#hasWork(pod)) return;
    const { uid, deletionTimestamp } = pod.metadata;
    if (deletionTimestamp !== undefined) {
      const state = { part: '', state: 'stopping', stamp: '' };
      const leftMs = stopsAfterMs(pod, this.#setting.simulated) - this.#times.elapsedMs(uid, state);
      if (leftMs > 0) return queue.addAfter(key, leftMs);
      const options = { gracePeriodSeconds: 0, preconditions: { uid } };
      yield* pods.deleteSteps(pod.metadata, options, kubeletContext(nodeOf(pod), 'delete'));
      return;
    }
    this.#reportProblems(pod);
    let step: PodStep = { pod, wakeInMs: Number.POSITIVE_INFINITY, events: [] };
    const change = (live: ApiObject): ApiObject => {
      step = { pod: live, wakeInMs: Number.POSITIVE_INFINITY, events: [] };
      // Another write may have changed or replaced the Pod. The event of that write queues the Pod again.
      const isSame = live.metadata.uid === uid && live.metadata.deletionTimestamp === undefined;
      if (!isSame || !this.#hasWork(live)) return live;
      step = this.#stepOf(live);
      return deepEqual(live['status'], step.pod['status']) ? live : step.pod;
    };
    const context = kubeletContext(nodeOf(pod), 'patch', 'status');
    if (hasReviewers(this.#setting.registry)) yield* pods.updateSteps(pod.metadata, withBreak(change), context);
    else yield* pods.replaceSteps(pod.metadata, change, context);
    for (const text of step.events) this.#setting.events.record(pod, text, source);
    if (Number.isFinite(step.wakeInMs)) queue.addAfter(key, step.wakeInMs);
  }

  #stepOf(pod: ApiObject): PodStep {
    const { uid } = pod.metadata;
    return podStep(pod, {
      simulated: this.#setting.simulated,
      now: timestamp(this.#setting.registry.clock.now()),
      host: addressOf(this.#setting.registry.builtIn('/v1/nodes').find({ name: nodeOf(pod) })),
      address: () => this.#addresses.assign(uid),
      elapsedMs: (status) => this.#times.containerMs(uid, status),
    });
  }

  #hasWork(pod: ApiObject): boolean {
    if (!this.#setting.simulated.nodes.has(nodeOf(pod))) return false;
    if (pod.metadata.deletionTimestamp !== undefined) return (pod.metadata.deletionGracePeriodSeconds ?? 0) > 0;
    if (isFinished(pod)) return false;
    if (isStarting(pod) || this.#setting.simulated.isStated(pod)) return true;
    const hasMore = changing.some((field) => valueAt(pod, 'spec', field) !== undefined);
    return hasMore || fateOf(pod).kind !== 'runs' || hasOutdatedImage(pod) || !isSettled(pod);
  }

  /** Reports the errors in the annotations of the Pod, once for each change of the errors. */
  #reportProblems(pod: ApiObject): void {
    const problems = this.#setting.simulated.problems(pod);
    const { uid } = pod.metadata;
    const text = problems.join('\n');
    if ((this.#reported.get(uid) ?? '') === text) return;
    this.#reported.set(uid, text);
    for (const message of problems) {
      this.#setting.events.record(pod, { type: 'Warning', reason: 'InvalidBehavior', message }, source);
    }
  }
}

/** Whether all containers are ready. A Pod whose stated behavior was removed can have containers that are not ready. */
function isSettled(pod: ApiObject): boolean {
  return objectsAt(pod, 'status', 'containerStatuses').every(({ ready }) => ready === true);
}
