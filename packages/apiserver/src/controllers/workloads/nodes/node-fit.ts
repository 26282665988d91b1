import type { Steps } from '@kubewright/api/apply';
import { parseQuantity } from '@kubewright/api/quantity';
import type { ApiObject, JsonDraft, JsonObject } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt, valueAt } from '../../../registry/objects/json-object.js';

/** The reason why a Pod does not fit on a node. `resolvable` is true if the Pod would fit after other Pods are removed. */
export interface UnfitNode {
  readonly reason: string;
  readonly resolvable: boolean;
}

/** The resource requests of a Pod's containers by resource name, in billionths of the unit of the resource. */
export type Requests = ReadonlyMap<string, bigint>;

/**
 * Returns the requests of a Pod. The request for a resource is the higher of two values: the sum over the containers, and the largest
 * request of an init container. Each Pod also requests 1 of the resource `pods`.
 */
export function requestsOf(pod: ApiObject): Requests {
  const sum = new Map<string, bigint>([['pods', 1_000_000_000n]]);
  for (const container of objectsAt(pod, 'spec', 'containers')) {
    for (const [name, amount] of amounts(container)) sum.set(name, (sum.get(name) ?? 0n) + amount);
  }
  for (const container of objectsAt(pod, 'spec', 'initContainers')) {
    for (const [name, amount] of amounts(container)) if (amount > (sum.get(name) ?? 0n)) sum.set(name, amount);
  }
  return sum;
}

/** The taint of an unschedulable node. */
const unschedulable: JsonDraft = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

const taintsPerStep = 1000;

/** The requirements of a Pod for a node. */
export interface PodNeeds {
  readonly pod: ApiObject;
  readonly requests: Requests;
  readonly isTolerated: (taint: JsonDraft) => boolean;
}

/** Returns the requirements of a Pod, which are the same for all nodes. */
export function needsOf(pod: ApiObject): PodNeeds {
  return { pod, requests: requestsOf(pod), isTolerated: tolerationsOf(pod) };
}

/** Returns the reasons why the Pod does not fit on the node, in steps. `used` is the sum of the requests of the Pods on the node. */
export function* unfitReasons(needs: PodNeeds, node: ApiObject, used: Requests): Steps<readonly UnfitNode[]> {
  const { pod, requests, isTolerated } = needs;
  if (valueAt(node, 'spec', 'unschedulable') === true && !isTolerated(unschedulable)) {
    return [{ reason: 'node(s) were unschedulable', resolvable: false }];
  }
  for (const [at, taint] of objectsAt(node, 'spec', 'taints').entries()) {
    if (!isTolerated(taint)) return [{ reason: 'node(s) had untolerated taint(s)', resolvable: false }];
    if (at % taintsPerStep === taintsPerStep - 1) yield;
  }
  if (!matchesNode(pod, node)) {
    return [{ reason: "node(s) didn't match Pod's node affinity/selector", resolvable: false }];
  }
  return shortages(requests, node, used);
}

/** Returns a reason for each resource whose requested amount exceeds the amount that is left on the node. */
export function shortages(requests: Requests, node: ApiObject, used: Requests): readonly UnfitNode[] {
  const allocatable = objectAt(node, 'status', 'allocatable');
  return [...requests].flatMap(([name, amount]) => {
    const total = allocatable[name];
    const most = total === undefined ? 0n : parseQuantity(String(total)).nanos;
    if (amount === 0n || (used.get(name) ?? 0n) + amount <= most) return [];
    const reason = name === 'pods' ? 'Too many pods' : `Insufficient ${name}`;
    return [{ reason, resolvable: name === 'pods' || amount <= most }];
  });
}

/** Returns whether the node matches the node selector and the required node affinity of a Pod. */
export function matchesNode(pod: ApiObject, node: ApiObject): boolean {
  const labels = node.metadata.labels ?? {};
  for (const [name, value] of Object.entries(objectAt(pod, 'spec', 'nodeSelector'))) {
    if (labels[name] !== value) return false;
  }
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const affinity = objectAt(pod, 'spec', 'affinity', 'nodeAffinity', required);
  if (affinity['nodeSelectorTerms'] === undefined) return true;
  return objectsAt(affinity, 'nodeSelectorTerms').some((term) => matchesTerm(term, node));
}

/**
 * Returns a function that tests in constant time whether a Pod tolerates a taint. The function returns true for taints with effects other
 * than NoSchedule and NoExecute.
 */
export function tolerationsOf(pod: JsonObject): (taint: JsonDraft) => boolean {
  // A null entry matches all values.
  const tolerated = new Set(
    objectsAt(pod, 'spec', 'tolerations').map(({ effect, key, operator, value }) =>
      JSON.stringify([effect, key, operator === 'Exists' ? null : (value ?? '')]),
    ),
  );
  return ({ effect, key, value }) => {
    if (effect !== 'NoSchedule' && effect !== 'NoExecute') return true;
    return [effect, null].some((anEffect) =>
      [key, null].some((aKey) =>
        [value ?? '', null].some((aValue) => tolerated.has(JSON.stringify([anEffect, aKey, aValue]))),
      ),
    );
  };
}

function matchesTerm(term: JsonDraft, node: ApiObject): boolean {
  const expressions = objectsAt(term, 'matchExpressions');
  const fields = objectsAt(term, 'matchFields');
  if (expressions.length + fields.length === 0) return false;
  return (
    expressions.every((expression) => meets(expression, node.metadata.labels?.[stringAt(expression, 'key')])) &&
    fields.every((field) => meets(field, stringAt(field, 'key') === 'metadata.name' ? node.metadata.name : undefined))
  );
}

function meets({ operator, values }: JsonDraft, value: string | undefined): boolean {
  const listed = Array.isArray(values) ? values : [];
  switch (operator) {
    case 'In':
      return value !== undefined && listed.includes(value);
    case 'NotIn':
      return value === undefined || !listed.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(listed[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(listed[0]);
    default:
      return false;
  }
}

function amounts(container: JsonDraft): Requests {
  const requests = Object.entries(objectAt(container, 'resources', 'requests'));
  return new Map(requests.map(([name, value]) => [name, parseQuantity(String(value)).nanos]));
}
