import { type Steps, withBreak } from '@kubewright/api/apply';
import { deepEqual } from '@kubewright/api/patch';
import { timestamp } from '../../../registry/metadata/metadata-rules.js';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { numberAt, objectsAt } from '../../../registry/objects/json-object.js';
import { withDisruptionTarget } from '../../objects/disruption-target.js';
import { leastOf } from '../../objects/extremes.js';
import { keyText, parseKey } from '../../objects/object-reference.js';
import { nodeOf } from '../../objects/pod-state.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { matchingToleration } from '../scheduling/node-match.js';

const component = 'taint-eviction-controller';

/** A planned eviction of a Pod. */
interface Plan {
  readonly uid: string;
  readonly dueMs: number;
}

/** Deletes the Pods that do not tolerate a NoExecute taint of their node. A Pod with `tolerationSeconds` is deleted after this time. */
export class TaintEviction implements Controller {
  readonly name = 'node-controller';
  readonly #setting: ControllerSetting;
  /** The NoExecute taints of each node that has such taints. */
  readonly #taints = new Map<string, readonly JsonDraft[]>();
  readonly #plans = new Map<string, Plan>();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    if (bucket === '/nodes') this.#observeNode(object, type === 'DELETED', queue);
    if (bucket !== '/pods') return;
    const key = keyText(object.metadata);
    if (type === 'DELETED') this.#plans.delete(key);
    else if (this.#plans.has(key) || this.#taints.has(nodeOf(object))) queue.add(key);
  }

  *sync(key: string, queue: KeyQueue): Steps<void> {
    const pods = this.#setting.registry.builtIn('/v1/pods');
    const pod = pods.find(parseKey(key));
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) {
      this.#plans.delete(key);
      return;
    }
    const nowMs = this.#setting.registry.clock.now().getTime();
    const known = this.#plans.get(key);
    const toleratedMs = this.#toleratedMs(pod);
    if (toleratedMs === Infinity) {
      if (known?.uid === pod.metadata.uid) this.#say(pod, `Cancelling deletion of Pod ${key}`);
      this.#plans.delete(key);
      return;
    }
    const isPlanned = known?.uid === pod.metadata.uid && toleratedMs > 0;
    const dueMs = isPlanned ? known.dueMs : nowMs + toleratedMs;
    if (dueMs > nowMs) {
      this.#plans.set(key, { uid: pod.metadata.uid, dueMs });
      queue.addAfter(key, dueMs - nowMs);
      return;
    }
    this.#plans.delete(key);
    this.#say(pod, `Marking for deletion Pod ${key}`);
    yield* this.#evict(pod);
  }

  *#evict(pod: ApiObject): Steps<void> {
    const { clock } = this.#setting.registry;
    const pods = this.#setting.registry.builtIn('/v1/pods');
    const { uid } = pod.metadata;
    const now = timestamp(clock.now());
    const message = 'Taint manager: deleting due to NoExecute taint';
    const change = withBreak((live: ApiObject) =>
      live.metadata.uid === uid ? withDisruptionTarget(live, { reason: 'DeletionByTaintManager', message, now }) : live,
    );
    yield* pods.updateSteps(pod.metadata, change, controllerContext(this.name, 'patch', 'status'));
    yield* pods.deleteSteps(pod.metadata, { preconditions: { uid } }, controllerContext(this.name, 'delete'));
  }

  /** Returns the time in milliseconds for which the Pod tolerates all taints of its node. */
  #toleratedMs(pod: ApiObject): number {
    const taints = this.#taints.get(nodeOf(pod)) ?? [];
    const matching = matchingToleration(pod);
    const limits = taints.map((taint) => {
      const toleration = matching(taint);
      if (toleration === undefined) return 0;
      return Math.max(0, numberAt(toleration, 'tolerationSeconds') ?? Infinity) * 1000;
    });
    return leastOf(limits);
  }

  #observeNode(node: ApiObject, isDeleted: boolean, queue: KeyQueue): void {
    const { name } = node.metadata;
    const all = isDeleted ? [] : objectsAt(node, 'spec', 'taints');
    const taints = all.filter(({ effect }) => effect === 'NoExecute');
    const known = this.#taints.get(name) ?? [];
    if (deepEqual(known, taints)) return;
    if (taints.length === 0) this.#taints.delete(name);
    else this.#taints.set(name, taints);
    for (const pod of this.#setting.index.all('/pods')) {
      if (nodeOf(pod) === name) queue.add(keyText(pod.metadata));
    }
  }

  #say(pod: ApiObject, message: string): void {
    this.#setting.events.record(pod, { type: 'Normal', reason: 'TaintManagerEviction', message }, { component });
  }
}
