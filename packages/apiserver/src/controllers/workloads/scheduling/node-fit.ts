import type { Steps } from '@kubewright/api/apply';
import { parseQuantity } from '@kubewright/api/quantity';
import type { JsonDraft } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, valueAt } from '../../../registry/objects/json-object.js';
import { conditionOf } from '../../objects/pod-state.js';
import type { NodeView } from './cluster-view.js';
import { matchesNode } from './node-match.js';
import type { HostPort, PodNeeds, Requests } from './pod-needs.js';

/** The reason why a Pod does not fit on a node. `resolvable` is true if the removal of other Pods can make the Pod fit. */
export interface UnfitNode {
  readonly reason: string;
  readonly resolvable: boolean;
}

/** The taint of an unschedulable node. */
const unschedulable: JsonDraft = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

const notReady: JsonDraft = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
const untolerated: UnfitNode = { reason: 'node(s) had untolerated taint(s)', resolvable: false };
const anyAddress = '0.0.0.0';

const taintsPerStep = 1000;

/**
 * Returns the reasons why the Pod does not fit on a node, in steps, except for the reasons that depend on other nodes. Returns only the
 * reasons of the first rule that the node does not meet.
 */
export function* unfitReasons(needs: PodNeeds, view: NodeView): Steps<readonly UnfitNode[]> {
  const { pod, isTolerated } = needs;
  const { node } = view;
  if (valueAt(node, 'spec', 'unschedulable') === true && !isTolerated(unschedulable)) {
    return [{ reason: 'node(s) were unschedulable', resolvable: false }];
  }
  for (const [at, taint] of objectsAt(node, 'spec', 'taints').entries()) {
    if (!isTolerated(taint)) return [untolerated];
    if (at % taintsPerStep === taintsPerStep - 1) yield;
  }
  // The node controller of a cluster adds this taint to a node that is not ready.
  if (conditionOf(node, 'Ready')?.['status'] !== 'True' && !isTolerated(notReady)) return [untolerated];
  if (!matchesNode(pod, node)) {
    return [{ reason: "node(s) didn't match Pod's node affinity/selector", resolvable: false }];
  }
  return loadReasons(needs, view);
}

/** Returns the reasons why the Pod does not fit on a node with its current Pods: occupied ports, or a lack of resources. */
export function loadReasons({ hostPorts, requests }: PodNeeds, view: NodeView): readonly UnfitNode[] {
  if (hostPorts.length > 0 && hasConflict(hostPorts, view)) {
    return [{ reason: "node(s) didn't have free ports for the requested pod ports", resolvable: true }];
  }
  return shortages(requests, view);
}

/**
 * Returns a reason for each resource whose requested amount exceeds the free amount of the node. If one of the amounts exceeds the total
 * amount of the node, no reason is resolvable.
 */
function shortages(requests: Requests, { node, used }: NodeView): readonly UnfitNode[] {
  const allocatable = objectAt(node, 'status', 'allocatable');
  const short = [...requests].flatMap(([name, amount]) => {
    const total = allocatable[name];
    const most = total === undefined ? 0n : parseQuantity(String(total)).nanos;
    if (amount === 0n || (used.get(name) ?? 0n) + amount <= most) return [];
    return [{ reason: name === 'pods' ? 'Too many pods' : `Insufficient ${name}`, fits: amount <= most }];
  });
  const resolvable = short.every(({ fits }) => fits);
  return short.map(({ reason }) => ({ reason, resolvable }));
}

/** Whether a Pod on the node occupies one of the ports. */
function hasConflict(hostPorts: readonly HostPort[], { pods }: NodeView): boolean {
  const keyOf = ({ port, protocol }: HostPort): string => `${port}/${protocol}`;
  const occupied = new Map<string, Set<string>>();
  for (const each of [...pods.values()].flatMap((other) => other.hostPorts)) {
    const addresses = occupied.get(keyOf(each)) ?? new Set();
    occupied.set(keyOf(each), addresses.add(each.ip));
  }
  return hostPorts.some((each) => {
    const addresses = occupied.get(keyOf(each));
    return addresses !== undefined && (each.ip === anyAddress || addresses.has(anyAddress) || addresses.has(each.ip));
  });
}
