import { deepEqual } from '@kubewright/api/patch';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { numberAt, stringAt } from '../../../registry/objects/json-object.js';
import { isFinished } from '../../objects/pod-state.js';
import { type PodNeeds, needsOf, type Requests } from './pod-needs.js';

/** A node, and the Pods that use its resources. */
export interface NodeView {
  readonly node: ApiObject;
  /** The Pods by uid. */
  readonly pods: ReadonlyMap<string, PodNeeds>;
  /** The sum of the requests of the Pods. */
  readonly used: Requests;
}

interface NodeEntry {
  node: ApiObject | undefined;
  readonly pods: Map<string, PodNeeds>;
  used: Map<string, bigint>;
}

/** The nodes of the cluster with their unfinished Pods, and the Pods that are nominated for a node. */
export class ClusterView {
  readonly #nodes = new Map<string, NodeEntry>();
  /** The name of the node of each counted Pod, by uid. */
  readonly #places = new Map<string, string>();
  /** The Pods that wait for the end of other Pods on a node, by uid. */
  readonly #nominated = new Map<string, { readonly node: string; readonly needs: PodNeeds }>();
  /** The UIDs of the Pods on nodes that have a required anti-affinity to other Pods. */
  readonly #repelling = new Set<string>();

  /** The number of nodes. */
  get size(): number {
    let count = 0;
    for (const { node } of this.#nodes.values()) if (node !== undefined) count += 1;
    return count;
  }

  /** Whether a Pod on a node has a required anti-affinity. */
  get hasRepellingPods(): boolean {
    return this.#repelling.size > 0;
  }

  observeNode(node: ApiObject, isDeleted: boolean): void {
    const { name } = node.metadata;
    this.#entry(name).node = isDeleted ? undefined : node;
    this.#forgetUnused(name);
  }

  /**
   * Counts a Pod on its node. Returns 'added' for a Pod that was not on a node, 'changed' for a Pod that has left its node or has a
   * change that affects the scheduling of other Pods, and otherwise 'same'.
   */
  observePod(pod: ApiObject, isDeleted: boolean): 'added' | 'changed' | 'same' {
    const { uid } = pod.metadata;
    const node = isDeleted || isFinished(pod) ? '' : stringAt(pod, 'spec', 'nodeName');
    this.#nominate(pod, node === '' && !isDeleted && !isFinished(pod));
    const before = this.#places.get(uid);
    const known = before === undefined ? undefined : this.#nodes.get(before)?.pods.get(uid);
    if (before === undefined && node === '') return 'same';
    if (known !== undefined && before === node && !isChanged(known.pod, pod)) {
      this.#entry(node).pods.set(uid, { ...known, pod });
      return 'same';
    }
    if (before !== undefined && known !== undefined) this.#remove(before, known);
    if (node !== '') this.#add(node, needsOf(pod));
    return known === undefined ? 'added' : 'changed';
  }

  /**
   * Returns the nodes for the scheduling of a Pod, in the order in which they were created. The Pods that are nominated for a node and have
   * at least the same priority count as Pods on the node.
   */
  viewsFor({ pod, priority }: PodNeeds): readonly NodeView[] {
    const nominated = new Map<string, PodNeeds[]>();
    for (const { node, needs } of this.#nominated.values()) {
      if (needs.priority < priority || needs.pod.metadata.uid === pod.metadata.uid) continue;
      const others = nominated.get(node);
      if (others === undefined) nominated.set(node, [needs]);
      else others.push(needs);
    }
    const views: NodeView[] = [];
    for (const [name, { node, pods, used }] of this.#nodes) {
      if (node !== undefined) views.push((nominated.get(name) ?? []).reduce(withPod, { node, pods, used }));
    }
    return views;
  }

  /** Returns the current view of a node, or undefined if the node does not exist. */
  view(name: string): NodeView | undefined {
    const entry = this.#nodes.get(name);
    return entry?.node === undefined ? undefined : { node: entry.node, pods: entry.pods, used: entry.used };
  }

  #nominate(pod: ApiObject, isWaiting: boolean): void {
    const node = isWaiting ? stringAt(pod, 'status', 'nominatedNodeName') : '';
    if (node === '') this.#nominated.delete(pod.metadata.uid);
    else this.#nominated.set(pod.metadata.uid, { node, needs: needsOf(pod) });
  }

  #add(name: string, needs: PodNeeds): void {
    const { uid } = needs.pod.metadata;
    const entry = this.#entry(name);
    entry.pods.set(uid, needs);
    entry.used = summed(entry.used, needs.requests, 1n);
    this.#places.set(uid, name);
    if (needs.repels.length > 0) this.#repelling.add(uid);
  }

  #remove(name: string, needs: PodNeeds): void {
    const { uid } = needs.pod.metadata;
    const entry = this.#entry(name);
    entry.pods.delete(uid);
    entry.used = summed(entry.used, needs.requests, -1n);
    this.#places.delete(uid);
    this.#repelling.delete(uid);
    this.#forgetUnused(name);
  }

  /** Removes the entry of a node that does not exist and has no Pods, because a Pod can have the name of any node. */
  #forgetUnused(name: string): void {
    const entry = this.#nodes.get(name);
    if (entry?.node === undefined && entry?.pods.size === 0) this.#nodes.delete(name);
  }

  #entry(name: string): NodeEntry {
    const known = this.#nodes.get(name) ?? { node: undefined, pods: new Map(), used: new Map() };
    this.#nodes.set(name, known);
    return known;
  }
}

/** Returns the view of a node with another Pod. */
export function withPod({ node, pods, used }: NodeView, needs: PodNeeds): NodeView {
  const next = new Map(pods).set(needs.pod.metadata.uid, needs);
  return { node, pods: next, used: summed(used, needs.requests, 1n) };
}

/** Returns the view of a node without a Pod. */
export function withoutPod({ node, pods, used }: NodeView, needs: PodNeeds): NodeView {
  const next = new Map(pods);
  next.delete(needs.pod.metadata.uid);
  return { node, pods: next, used: summed(used, needs.requests, -1n) };
}

/** Whether the scheduling of other Pods depends on the difference between two versions of a Pod on a node. */
function isChanged(before: ApiObject, pod: ApiObject): boolean {
  const { labels, deletionTimestamp, generation } = pod.metadata;
  return (
    !deepEqual(before.metadata.labels ?? {}, labels ?? {}) ||
    before.metadata.deletionTimestamp !== deletionTimestamp ||
    numberAt(before.metadata, 'generation') !== generation
  );
}

function summed(used: Requests, requests: Requests, sign: bigint): Map<string, bigint> {
  const sum = new Map(used);
  for (const [name, amount] of requests) {
    const total = (sum.get(name) ?? 0n) + sign * amount;
    if (total === 0n) sum.delete(name);
    else sum.set(name, total);
  }
  return sum;
}
