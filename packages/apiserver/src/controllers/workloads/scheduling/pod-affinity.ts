import type { ApiObject } from '../../../registry/objects/api-object.js';
import type { NodeView } from './cluster-view.js';
import type { UnfitNode } from './node-fit.js';
import { isSelected, type PodNeeds, type PodTerm } from './pod-needs.js';

/** Returns the labels of a namespace. */
export type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>>;

/** The domains of the cluster that the affinity between a Pod and the other Pods depends on. A domain is a label with its value. */
export interface AffinityDomains {
  /** The domains with Pods that all attracting terms of the Pod select. */
  readonly attracting: ReadonlySet<string>;
  /** The domains with Pods that a repelling term of the Pod selects. */
  readonly repelling: ReadonlySet<string>;
  /** The domains whose Pods repel the Pod. */
  readonly closed: ReadonlySet<string>;
  /** True if no Pod on a node matches all attracting terms, but the Pod itself does. The attracting terms then allow each domain. */
  readonly isFirst: boolean;
}

/**
 * Returns the domains for a Pod. Returns undefined if the Pod has no required affinity or anti-affinity, and no Pod on a node has a
 * required anti-affinity.
 */
export function affinityDomains(
  needs: PodNeeds,
  views: readonly NodeView[],
  { labelsOf, hasRepellingPods }: { readonly labelsOf: NamespaceLabels; readonly hasRepellingPods: boolean },
): AffinityDomains | undefined {
  const { pod, attracted, repels } = needs;
  if (attracted.length + repels.length === 0 && !hasRepellingPods) return undefined;
  const [attracting, repelling, closed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { node, pods } of views) {
    for (const other of pods.values()) {
      if (attracted.length > 0 && selectedByAll(attracted, other.pod, labelsOf)) add(attracting, attracted, node);
      add(
        repelling,
        repels.filter((term) => isSelected(term, other.pod, labelsOf)),
        node,
      );
      add(
        closed,
        other.repels.filter((term) => isSelected(term, pod, labelsOf)),
        node,
      );
    }
  }
  return { attracting, repelling, closed, isFirst: attracting.size === 0 && selectedByAll(attracted, pod, labelsOf) };
}

/** Returns the reason why a node does not satisfy the affinity between Pods, if any. */
export function affinityReasons(
  { attracting, repelling, closed, isFirst }: AffinityDomains,
  { attracted, repels }: PodNeeds,
  node: ApiObject,
): readonly UnfitNode[] {
  const domains = attracted.map((term) => domainOf(term, node));
  const isAttracted = isFirst || domains.every((domain) => domain !== undefined && attracting.has(domain));
  if (domains.includes(undefined) || !isAttracted) {
    return [{ reason: "node(s) didn't match pod affinity rules", resolvable: false }];
  }
  if (repels.some((term) => repelling.has(domainOf(term, node) ?? ''))) {
    return [{ reason: "node(s) didn't match pod anti-affinity rules", resolvable: true }];
  }
  if (Object.entries(node.metadata.labels ?? {}).some(([key, value]) => closed.has(`${key}=${value}`))) {
    return [{ reason: "node(s) didn't satisfy existing pods anti-affinity rules", resolvable: true }];
  }
  return [];
}

/** Returns the sum of the weights of the preferred terms whose Pods are in the domains of each node, in the order of the nodes. */
export function preferredWeights(
  { preferred }: PodNeeds,
  views: readonly NodeView[],
  labelsOf: NamespaceLabels,
): readonly number[] {
  const weights = new Map<string, number>();
  for (const { node, pods } of preferred.length === 0 ? [] : views) {
    for (const { pod: other } of pods.values()) {
      for (const term of preferred.filter((each) => isSelected(each, other, labelsOf))) {
        const domain = domainOf(term, node);
        if (domain !== undefined) weights.set(domain, (weights.get(domain) ?? 0) + term.weight);
      }
    }
  }
  const keys = new Set(preferred.map(({ topologyKey }) => topologyKey));
  return views.map(({ node }) =>
    [...keys].reduce((sum, topologyKey) => sum + (weights.get(domainOf({ topologyKey }, node) ?? '') ?? 0), 0),
  );
}

function selectedByAll(terms: readonly PodTerm[], pod: ApiObject, labelsOf: NamespaceLabels): boolean {
  return terms.length > 0 && terms.every((term) => isSelected(term, pod, labelsOf));
}

function add(domains: Set<string>, terms: readonly PodTerm[], node: ApiObject): void {
  for (const term of terms) {
    const domain = domainOf(term, node);
    if (domain !== undefined) domains.add(domain);
  }
}

function domainOf({ topologyKey }: Pick<PodTerm, 'topologyKey'>, { metadata }: ApiObject): string | undefined {
  const value = metadata.labels?.[topologyKey];
  return value === undefined ? undefined : `${topologyKey}=${value}`;
}
