import type { Steps } from '@kubewright/api/apply';
import type { ClusterView, NodeView } from './cluster-view.js';
import { type UnfitNode, unfitReasons } from './node-fit.js';
import { enforcedNames } from './node-match.js';
import { bestNode } from './node-scores.js';
import { affinityDomains, affinityReasons, type NamespaceLabels } from './pod-affinity.js';
import type { PodNeeds } from './pod-needs.js';
import { spreadConstraints, spreadReasons } from './topology-spread.js';

const notEnforced: UnfitNode = { reason: "node(s) didn't satisfy plugin(s) [NodeAffinity]", resolvable: false };

/** A node on which a Pod does not fit, with the reasons of the first rule that the node does not meet. */
export interface UnfitView {
  readonly view: NodeView;
  readonly reasons: readonly UnfitNode[];
}

/** The cluster in which a Pod is placed. */
export interface PlacementSetting {
  readonly cluster: ClusterView;
  readonly labelsOf: NamespaceLabels;
  /** Returns the reason why the volumes of the Pod cannot be used on a node, if any. */
  readonly volumeReasons: (view: NodeView) => readonly UnfitNode[];
}

/** The result of a placement: the best node, or the reasons why the Pod does not fit on any node. */
export type Placement = { readonly node: NodeView } | { readonly unfit: readonly UnfitView[] };

/** Finds the best node for a Pod, in steps. */
export function* place(needs: PodNeeds, setting: PlacementSetting): Steps<Placement> {
  const views = setting.cluster.viewsFor(needs);
  const fitting: NodeView[] = [];
  const unfit: UnfitView[] = [];
  const topology = topologyRules(needs, views, setting);
  const names = enforcedNames(needs.pod);
  for (const view of views) {
    const isEnforced = names === undefined || names.has(view.node.metadata.name);
    const reasons = isEnforced ? yield* reasonsOf(needs, view, { ...setting, topology }) : [notEnforced];
    if (reasons.length === 0) fitting.push(view);
    else unfit.push({ view, reasons });
    yield;
  }
  const node = bestNode(needs, fitting, { views, labelsOf: setting.labelsOf });
  return node === undefined ? { unfit } : { node };
}

/** Returns the reasons why a Pod does not fit on the node of `view`, in steps. `view` replaces the view of the same node in `views`. */
export function* reasonsWith(
  needs: PodNeeds,
  view: NodeView,
  { views, ...setting }: PlacementSetting & { readonly views: readonly NodeView[] },
): Steps<readonly UnfitNode[]> {
  const changed = views.map((each) => (each.node === view.node ? view : each));
  return yield* reasonsOf(needs, view, { ...setting, topology: topologyRules(needs, changed, setting) });
}

function* reasonsOf(
  needs: PodNeeds,
  view: NodeView,
  { volumeReasons, topology }: PlacementSetting & { readonly topology: (view: NodeView) => readonly UnfitNode[] },
): Steps<readonly UnfitNode[]> {
  const own = yield* unfitReasons(needs, view);
  if (own.length > 0) return own;
  const volumes = volumeReasons(view);
  return volumes.length > 0 ? volumes : topology(view);
}

/**
 * Returns a function that returns the reasons why a node does not satisfy the topology spread constraints and the affinity between Pods.
 * These rules depend on the Pods of all nodes.
 */
function topologyRules(
  needs: PodNeeds,
  views: readonly NodeView[],
  { cluster, labelsOf }: PlacementSetting,
): (view: NodeView) => readonly UnfitNode[] {
  const constraints = spreadConstraints(needs, views, 'DoNotSchedule');
  const domains = affinityDomains(needs, views, { labelsOf, hasRepellingPods: cluster.hasRepellingPods });
  return ({ node }) => {
    const reasons = spreadReasons(constraints, needs, node);
    return reasons.length > 0 || domains === undefined ? reasons : affinityReasons(domains, needs, node);
  };
}
