import { type Steps, withBreak } from '@kubewright/api/apply';
import { timestamp } from '../../../registry/metadata/metadata-rules.js';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { withDisruptionTarget } from '../../objects/disruption-target.js';
import { keyText, parseKey } from '../../objects/object-reference.js';
import { conditionOf, isFinished, nodeOf } from '../../objects/pod-state.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import type { FeedEvent } from '../../work/resource-feed.js';

/** The number of finished Pods that the cluster keeps. */
const keptPods = 12_500;
/** The time between the event that causes too many finished Pods and their deletion. */
const periodMs = 20_000;
/** The time for which a node must be missing before its Pods are deleted. */
const quarantineMs = 40_000;
/** The key of the finished Pods. Other keys are the names of nodes and the keys of Pods. */
const finishedPods = '*';

/**
 * Deletes the Pods that no kubelet removes: Pods on missing nodes, terminating Pods without a node, terminating Pods on nodes that are out
 * of service, and the oldest finished Pods if the cluster has more than 12,500. A Pod that has not finished fails before it is deleted.
 */
export class PodGarbageCollector implements Controller {
  readonly name = 'pod-garbage-collector';
  readonly #setting: ControllerSetting;
  readonly #keptPods: number;
  /** The existing nodes, and whether each node is out of service. */
  readonly #nodes = new Map<string, boolean>();
  /** The nodes that are still missing after the quarantine. */
  readonly #missing = new Set<string>();
  readonly #finished = new Set<string>();
  /** The finished Pods to delete. */
  #excess: ReadonlySet<string> = new Set();

  /** @param limits.keptPods the number of finished Pods that the cluster keeps. @default 12,500 */
  constructor(setting: ControllerSetting, limits: { readonly keptPods: number } = { keptPods }) {
    this.#setting = setting;
    this.#keptPods = limits.keptPods;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    if (bucket === '/nodes') this.#observeNode(object, type === 'DELETED', queue);
    else if (bucket === '/pods') this.#observePod(object, type === 'DELETED', queue);
  }

  *sync(key: string, queue: KeyQueue): Steps<void> {
    if (key === finishedPods) return this.#selectExcess(queue);
    const { namespace, name } = parseKey(key);
    if (namespace === undefined) return this.#checkNode(name, queue);
    const pod = this.#setting.registry.builtIn('/v1/pods').find({ namespace, name });
    if (pod === undefined) return;
    const isOrphaned = this.#missing.has(nodeOf(pod));
    if (isOrphaned || this.#excess.has(key) || this.#isAbandoned(pod)) yield* this.#remove(pod, isOrphaned);
  }

  #observeNode(node: ApiObject, isDeleted: boolean, queue: KeyQueue): void {
    const { name } = node.metadata;
    if (isDeleted) {
      this.#nodes.delete(name);
      queue.addAfter(name, quarantineMs);
      return;
    }
    const isOut = isOutOfService(node);
    if (isOut && this.#nodes.get(name) !== true) queue.add(name);
    this.#nodes.set(name, isOut);
    this.#missing.delete(name);
  }

  #observePod(pod: ApiObject, isDeleted: boolean, queue: KeyQueue): void {
    const key = keyText(pod.metadata);
    if (isDeleted || !isFinished(pod)) this.#finished.delete(key);
    else this.#finished.add(key);
    if (this.#finished.size > this.#keptPods) queue.addAfter(finishedPods, periodMs);
    const node = nodeOf(pod);
    if (isDeleted) {
      // After the last of its Pods, the missing node is forgotten.
      if (this.#missing.has(node)) queue.add(node);
      return;
    }
    if (node !== '' && !this.#nodes.has(node)) queue.addAfter(node, quarantineMs);
    else if (this.#isAbandoned(pod)) queue.add(key);
  }

  #selectExcess(queue: KeyQueue): void {
    const count = this.#finished.size - this.#keptPods;
    const finished = count > 0 ? this.#setting.index.all('/pods').filter(isFinished) : [];
    const excess = finished.toSorted(byDeletionOrder).slice(0, Math.max(0, count));
    this.#excess = new Set(excess.map(({ metadata }) => keyText(metadata)));
    for (const key of this.#excess) queue.add(key);
  }

  /** Queues the Pods of a node that is missing or out of service. */
  #checkNode(name: string, queue: KeyQueue): void {
    const isMissing = this.#setting.registry.builtIn('/v1/nodes').find({ name }) === undefined;
    if (!isMissing && this.#nodes.get(name) !== true) return;
    const pods = this.#setting.index.all('/pods').filter((pod) => nodeOf(pod) === name);
    if (isMissing && pods.length > 0) this.#missing.add(name);
    else this.#missing.delete(name);
    for (const pod of pods) queue.add(keyText(pod.metadata));
  }

  /** Returns whether the Pod is being deleted, but its node will not remove the Pod. */
  #isAbandoned(pod: ApiObject): boolean {
    if (pod.metadata.deletionTimestamp === undefined) return false;
    const node = nodeOf(pod);
    return node === '' || this.#nodes.get(node) === true;
  }

  *#remove(pod: ApiObject, isOrphaned: boolean): Steps<void> {
    const { registry } = this.#setting;
    const pods = registry.builtIn('/v1/pods');
    const { uid } = pod.metadata;
    if (!isFinished(pod)) {
      const now = timestamp(registry.clock.now());
      const disruption = { reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists', now };
      const change = withBreak((live: ApiObject) => {
        if (live.metadata.uid !== uid) return live;
        const marked = isOrphaned ? withDisruptionTarget(live, disruption) : live;
        const { generation } = live.metadata;
        const observed = generation === undefined ? {} : { observedGeneration: generation };
        return { ...marked, status: { ...objectAt(marked, 'status'), phase: 'Failed', ...observed } };
      });
      yield* pods.updateSteps(pod.metadata, change, controllerContext(this.name, 'patch', 'status'));
    }
    const options = { gracePeriodSeconds: 0, preconditions: { uid } };
    yield* pods.deleteSteps(pod.metadata, options, controllerContext(this.name, 'delete'));
  }
}

/** Orders Pods as they are deleted: evicted Pods first, then older Pods. */
function byDeletionOrder(a: ApiObject, b: ApiObject): number {
  const evicted = Number(isEvicted(b)) - Number(isEvicted(a));
  const older = Date.parse(a.metadata.creationTimestamp) - Date.parse(b.metadata.creationTimestamp);
  return evicted || older || (a.metadata.name < b.metadata.name ? -1 : 1);
}

function isEvicted({ status }: ApiObject): boolean {
  return stringAt(status, 'phase') === 'Failed' && stringAt(status, 'reason') === 'Evicted';
}

/** Returns whether the node is not ready and an administrator has declared the node out of service. */
function isOutOfService(node: ApiObject): boolean {
  const isDeclared = objectsAt(node, 'spec', 'taints').some(({ key }) => key === 'node.kubernetes.io/out-of-service');
  return isDeclared && conditionOf(node, 'Ready')?.['status'] !== 'True';
}
