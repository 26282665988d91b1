import type { LabelSelector } from '@kubewright/api/selectors';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { numberAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { leastOf } from '../../objects/extremes.js';
import type { NodeView } from './cluster-view.js';
import type { UnfitNode } from './node-fit.js';
import { matchesNode } from './node-match.js';
import { type PodNeeds, selectorOf } from './pod-needs.js';

/** A constraint on the distribution of Pods, with the number of selected Pods in each domain. */
export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly selector: LabelSelector;
  readonly counts: ReadonlyMap<string, number>;
  /** The smallest number of selected Pods in a domain. 0 if the number of domains is less than `minDomains`. */
  readonly least: number;
}

type Strength = 'DoNotSchedule' | 'ScheduleAnyway';

/** Returns the topology spread constraints of a Pod with this strength, and the number of selected Pods in each domain. */
export function spreadConstraints(
  needs: PodNeeds,
  views: readonly NodeView[],
  strength: Strength,
): readonly SpreadConstraint[] {
  const declared = objectsAt(needs.pod, 'spec', 'topologySpreadConstraints').filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === strength,
  );
  if (declared.length === 0) return [];
  const keys = declared.map((constraint) => stringAt(constraint, 'topologyKey'));
  const labeled = views.filter(({ node }) => keys.every((key) => node.metadata.labels?.[key] !== undefined));
  return declared.map((constraint) => counted(constraint, needs, labeled));
}

/** Returns the reason why a node does not satisfy the constraints, if any. */
export function spreadReasons(
  constraints: readonly SpreadConstraint[],
  { pod }: PodNeeds,
  node: ApiObject,
): readonly UnfitNode[] {
  for (const { topologyKey, maxSkew, selector, counts, least } of constraints) {
    const domain = node.metadata.labels?.[topologyKey];
    const reason = "node(s) didn't match pod topology spread constraints";
    if (domain === undefined) return [{ reason: `${reason} (missing required label)`, resolvable: false }];
    const own = selector.matches(pod.metadata.labels ?? {}) ? 1 : 0;
    if ((counts.get(domain) ?? 0) + own - least > maxSkew) return [{ reason, resolvable: true }];
  }
  return [];
}

function counted(constraint: JsonDraft, needs: PodNeeds, views: readonly NodeView[]): SpreadConstraint {
  const topologyKey = stringAt(constraint, 'topologyKey');
  const selector = selectorOf(constraint, needs.pod);
  const counts = new Map<string, number>();
  for (const { node, pods } of views) {
    if (!isIncluded(constraint, needs, node)) continue;
    const domain = node.metadata.labels?.[topologyKey] ?? '';
    counts.set(domain, (counts.get(domain) ?? 0) + matchingPods(pods, selector, needs.pod));
  }
  const isTooFew = counts.size < (numberAt(constraint, 'minDomains') ?? 1);
  return {
    topologyKey,
    maxSkew: numberAt(constraint, 'maxSkew') ?? 1,
    selector,
    counts,
    least: isTooFew || counts.size === 0 ? 0 : leastOf([...counts.values()]),
  };
}

/** Returns the number of selected Pods in the namespace of the Pod that are not being deleted. Returns 0 for an empty selector. */
function matchingPods(pods: NodeView['pods'], selector: LabelSelector, { metadata }: ApiObject): number {
  if (selector.empty) return 0;
  let count = 0;
  for (const { pod: other } of pods.values()) {
    if (other.metadata.namespace !== metadata.namespace || other.metadata.deletionTimestamp !== undefined) continue;
    if (selector.matches(other.metadata.labels ?? {})) count += 1;
  }
  return count;
}

/** Whether a node counts as part of a domain: by default, if the node matches the node selector and the node affinity of the Pod. */
function isIncluded(constraint: JsonDraft, { pod, isTolerated }: PodNeeds, node: ApiObject): boolean {
  const honors = (field: string, byDefault: string): boolean => (stringAt(constraint, field) || byDefault) === 'Honor';
  if (honors('nodeAffinityPolicy', 'Honor') && !matchesNode(pod, node)) return false;
  return !honors('nodeTaintsPolicy', 'Ignore') || objectsAt(node, 'spec', 'taints').every(isTolerated);
}
