import { type Steps, withBreak } from '@kubewright/api/apply';
import { append } from '@kubewright/api/json';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { timestamp } from '../../../registry/metadata/metadata-rules.js';
import type { RequestContext } from '../../../registry/requests/request-context.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { claimNames, waitsForPod } from '../../objects/volume-claims.js';
import { keyText, parseKey } from '../../objects/object-reference.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { withCondition } from '../../objects/condition-list.js';
import {
  type UnfitNode,
  unfitReasons,
  needsOf,
  type PodNeeds,
  type Requests,
  requestsOf,
  shortages,
} from './node-fit.js';
import { conditionOf, isFinished } from '../../objects/pod-state.js';

const by = { component: 'default-scheduler' };

/**
 * Binds each Pod to the first node on which the Pod fits. If a Pod does not fit on any node, reports the reason and retries after a
 * relevant change.
 */
export class Scheduler implements Controller {
  readonly name = 'kube-scheduler';
  readonly #setting: ControllerSetting;
  readonly #nodes = new Map<string, ApiObject>();
  /** The sum of the resource requests of the unfinished Pods on each node, by node and resource. */
  readonly #used = new Map<string, Map<string, bigint>>();
  /** The node and the requests of each Pod that is counted in `#used`. */
  readonly #counted = new Map<string, { readonly node: string; readonly requests: Requests }>();
  /**
   * The keys of the Pods that wait for a node. The value is the key of the claim that is missing or not bound, or undefined if the Pod
   * waits for another reason.
   */
  readonly #waiting = new Map<string, string | undefined>();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object: known }: FeedEvent, queue: KeyQueue): void {
    if (bucket === '/nodes') {
      if (type === 'DELETED') this.#nodes.delete(known.metadata.name);
      else this.#nodes.set(known.metadata.name, known);
      this.#retry(queue);
    } else if (bucket === '/pods') {
      const freed = this.#count(known, type === 'DELETED');
      const key = keyText(known.metadata);
      if (type !== 'DELETED' && isWaiting(known)) queue.add(key);
      else this.#waiting.delete(key);
      if (freed) this.#retry(queue);
    } else if (bucket === '/persistentvolumeclaims') this.#retry(queue, keyText(known.metadata));
  }

  *sync(key: string, queue: KeyQueue): Steps<void> {
    const pod = this.#pods.find(parseKey(key));
    if (pod === undefined || !isWaiting(pod)) return;
    // The Pod counts as waiting from now on, so that an event between two steps queues the Pod again.
    this.#waiting.set(key, undefined);
    const problem = this.#volumeProblem(pod);
    if (problem !== undefined) {
      this.#waiting.set(key, problem.claim);
      yield* this.#refuse(pod, problem.message);
      return;
    }
    const needs = needsOf(pod);
    yield;
    const found = yield* this.#place(needs);
    if ('reasons' in found) yield* this.#refuse(pod, unfitMessage(found.reasons, this.#nodes.size));
    else if (!(yield* this.#bind(needs, found.node))) queue.add(key);
  }

  *#place(needs: PodNeeds): Steps<{ readonly node: ApiObject } | { readonly reasons: readonly UnfitNode[] }> {
    const reasons: UnfitNode[] = [];
    for (const node of this.#nodes.values()) {
      if (conditionOf(node, 'Ready')?.['status'] !== 'True') continue;
      const found = yield* unfitReasons(needs, node, this.#usedOn(node));
      if (found.length === 0) return { node };
      append(reasons, found);
      yield;
    }
    return { reasons };
  }

  /**
   * Binds the Pod to the node. Returns false if the Pod was not bound, because the Pod, a claim or the node has changed and the Pod may no
   * longer fit.
   */
  *#bind({ pod, requests }: PodNeeds, node: ApiObject): Steps<boolean> {
    const now = timestamp(this.#setting.registry.clock.now());
    const { namespace, name, uid } = pod.metadata;
    let isBound = false;
    const change = (live: ApiObject): ApiObject => {
      const isSame = live.metadata.uid === uid && isWaiting(live) && this.#nodes.get(node.metadata.name) === node;
      isBound =
        isSame && shortages(requests, node, this.#usedOn(node)).length === 0 && this.#volumeProblem(live) === undefined;
      return isBound ? bound(live, { node: node.metadata.name, now }) : live;
    };
    yield* this.#pods.replaceSteps(pod.metadata, change, bindingContext);
    if (!isBound) return false;
    const message = `Successfully assigned ${namespace}/${name} to ${node.metadata.name}`;
    this.#setting.events.report(pod, { type: 'Normal', reason: 'Scheduled', action: 'Binding', message }, by);
    return true;
  }

  *#refuse(pod: ApiObject, message: string): Steps<void> {
    const known = conditionOf(pod, 'PodScheduled');
    if (known?.['message'] === message && known['reason'] === 'Unschedulable') return;
    const now = timestamp(this.#setting.registry.clock.now());
    let isRefused = false;
    const change = (live: ApiObject): ApiObject => {
      isRefused = live.metadata.uid === pod.metadata.uid && isWaiting(live);
      return isRefused ? refused(live, { message, now }) : live;
    };
    const context = { ...bindingContext, verb: 'patch', subresource: 'status' };
    yield* this.#pods.updateSteps(pod.metadata, withBreak(change), context);
    if (!isRefused) return;
    const text = { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', message } as const;
    this.#setting.events.report(pod, text, by);
  }

  /** Returns the first claim that prevents scheduling of the Pod, and the reason. Returns undefined if no claim prevents scheduling. */
  #volumeProblem(pod: ApiObject): { readonly claim: string; readonly message: string } | undefined {
    const claims = this.#setting.registry.builtIn('/v1/persistentvolumeclaims');
    const total = `0/${this.#nodes.size} nodes are available:`;
    for (const name of claimNames(pod)) {
      const key = { name, namespace: pod.metadata.namespace };
      const reason = this.#claimProblem(name, claims.find(key));
      if (reason !== undefined) return { claim: keyText(key), message: `${total} ${reason}. not found` };
    }
    return undefined;
  }

  #claimProblem(name: string, claim: ApiObject | undefined): string | undefined {
    if (claim === undefined) return `persistentvolumeclaim "${name}" not found`;
    if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim "${name}" is being deleted`;
    const isBound = stringAt(claim, 'spec', 'volumeName') !== '' || waitsForPod(this.#setting.registry, claim);
    return isBound ? undefined : 'pod has unbound immediate PersistentVolumeClaims';
  }

  /** Updates the sums of the requests. Returns whether resources were freed. */
  #count(pod: ApiObject, deleted: boolean): boolean {
    const { uid } = pod.metadata;
    const node = deleted || isFinished(pod) ? '' : stringAt(pod, 'spec', 'nodeName');
    const before = this.#counted.get(uid);
    if (before !== undefined && before.node === node) return false;
    if (before !== undefined) {
      this.#add(before.node, before.requests, -1n);
      this.#counted.delete(uid);
    }
    if (node !== '') {
      const requests = requestsOf(pod);
      this.#add(node, requests, 1n);
      this.#counted.set(uid, { node, requests });
    }
    return before !== undefined;
  }

  #add(node: string, requests: Requests, sign: bigint): void {
    const used = this.#used.get(node) ?? new Map<string, bigint>();
    for (const [name, amount] of requests) used.set(name, (used.get(name) ?? 0n) + sign * amount);
    this.#used.set(node, used);
  }

  #usedOn({ metadata }: ApiObject): Requests {
    return this.#used.get(metadata.name) ?? new Map();
  }

  /** Queues the waiting Pods. After a change of a claim, only queues Pods that do not wait for another claim. */
  #retry(queue: KeyQueue, claim?: string): void {
    for (const [key, missing] of this.#waiting) {
      if (claim === undefined || missing === undefined || missing === claim) queue.add(key);
    }
  }

  get #pods() {
    return this.#setting.registry.builtIn('/v1/pods');
  }
}

const bindingContext: RequestContext = {
  verb: 'create',
  fieldManager: 'kube-scheduler',
  subresource: 'binding',
  dryRun: false,
  fieldValidation: 'Ignore',
  warnings: [],
  user: { name: 'system:kube-scheduler', groups: ['system:authenticated'] },
};

function isWaiting(pod: ApiObject): boolean {
  return (
    stringAt(pod, 'spec', 'nodeName') === '' &&
    stringAt(pod, 'spec', 'schedulerName') === 'default-scheduler' &&
    pod.metadata.deletionTimestamp === undefined &&
    objectsAt(pod, 'spec', 'schedulingGates').length === 0 &&
    !isFinished(pod)
  );
}

function bound(pod: ApiObject, { node, now }: { readonly node: string; readonly now: string }): ApiObject {
  const others = objectsAt(pod, 'status', 'conditions').filter(({ type }) => type !== 'PodScheduled');
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  return {
    ...pod,
    spec: { ...objectAt(pod, 'spec'), nodeName: node },
    status: { ...objectAt(pod, 'status'), conditions: [...others, scheduled] },
  };
}

function refused(pod: ApiObject, { message, now }: { readonly message: string; readonly now: string }): ApiObject {
  const others = objectsAt(pod, 'status', 'conditions').filter(({ type }) => type !== 'PodScheduled');
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message } as const;
  const [made] = withCondition([], condition, { now });
  const { generation } = pod.metadata;
  const conditions = [...others, { lastProbeTime: null, observedGeneration: generation, ...made }];
  return { ...pod, status: { ...objectAt(pod, 'status'), conditions } };
}

/** Returns the scheduler's message for a Pod that does not fit on any node. */
function unfitMessage(reasons: readonly UnfitNode[], nodes: number): string {
  if (nodes === 0) return 'no nodes available to schedule pods';
  const counted = (texts: readonly string[]): string => {
    const counts = new Map<string, number>();
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
    return [...counts]
      .map(([text, count]) => `${count} ${text}`)
      .toSorted()
      .join(', ');
  };
  const resolvable = reasons.length > 0 && reasons.every((unfit) => unfit.resolvable);
  const preemption = resolvable
    ? 'No preemption victims found for incoming pod.'
    : 'Preemption is not helpful for scheduling.';
  const none = `0/${nodes} nodes are available:`;
  const why = counted(reasons.map(({ reason }) => reason));
  return `${none} ${why}. no new claims to deallocate, preemption: ${none} ${nodes} ${preemption}`;
}
