import { parseQuantity } from '@kubewright/api/quantity';
import { numberAt, objectAt, objectsAt, valueAt } from '../../../registry/objects/json-object.js';
import type { NodeView } from './cluster-view.js';
import { controlledBy } from '../../objects/controller-reference.js';
import { leastOf, mostOf } from '../../objects/extremes.js';
import { listedTolerations, matchesTerm } from './node-match.js';
import { type NamespaceLabels, preferredWeights } from './pod-affinity.js';
import type { PodNeeds } from './pod-needs.js';
import { spreadConstraints } from './topology-spread.js';

/** The weights of the scores of the default scheduler. */
const weights = { taints: 3, nodeAffinity: 2, spread: 2, podAffinity: 2, free: 1, balance: 1 } as const;
const highest = 100;
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

/**
 * Returns the node with the highest score, or undefined if no node fits. The score considers the untolerated PreferNoSchedule taints, the
 * preferred labels, the preferred distribution of Pods, the preferred affinity to other Pods, and the free resources. Among nodes with the
 * same score, returns the node with the fewest Pods of the same controller, and then the node with the fewest Pods.
 */
export function bestNode(
  needs: PodNeeds,
  fitting: readonly NodeView[],
  cluster: { readonly views: readonly NodeView[]; readonly labelsOf: NamespaceLabels },
): NodeView | undefined {
  const [first, ...others] = fitting;
  if (first === undefined || others.length === 0) return first;
  const parts = [
    [weights.taints, reversed(fitting.map(avoidedTaintsOf(needs)))],
    [weights.nodeAffinity, scaled(fitting.map((view) => affinityWeight(needs, view)))],
    [weights.spread, spreadScores(needs, fitting, cluster.views)],
    [weights.podAffinity, ranged(neighborWeights(needs, fitting, cluster))],
    [weights.free, fitting.map((view) => average(freeFractions(needs, view)) * highest)],
    [weights.balance, fitting.map((view) => balanceScore(freeFractions(needs, view)))],
  ] as const;
  const ranks = fitting.map((view, at) => ({
    view,
    score: parts.reduce((sum, [weight, scores]) => sum + weight * Math.trunc(scores[at] ?? 0), 0),
    siblings: siblingsOn(view, needs),
  }));
  return ranks.reduce((best, next) => {
    const difference =
      next.score - best.score || best.siblings - next.siblings || best.view.pods.size - next.view.pods.size;
    return difference > 0 ? next : best;
  }).view;
}

/** Returns a function that returns the number of PreferNoSchedule taints of a node that the Pod does not tolerate. */
function avoidedTaintsOf({ pod }: PodNeeds): (view: NodeView) => number {
  let isListed: ReturnType<typeof listedTolerations> | undefined;
  return ({ node }) => {
    const taints = objectsAt(node, 'spec', 'taints').filter(({ effect }) => effect === 'PreferNoSchedule');
    return taints.filter((taint) => !(isListed ??= listedTolerations(pod))(taint)).length;
  };
}

function affinityWeight({ pod }: PodNeeds, { node }: NodeView): number {
  return objectsAt(pod, 'spec', 'affinity', 'nodeAffinity', preferred)
    .filter((each) => matchesTerm(objectAt(each, 'preference'), node))
    .reduce((sum, each) => sum + (numberAt(each, 'weight') ?? 0), 0);
}

/** Scores the nodes by the ScheduleAnyway constraints of the Pod: a node in a domain with fewer selected Pods has a higher score. */
function spreadScores(needs: PodNeeds, fitting: readonly NodeView[], views: readonly NodeView[]): readonly number[] {
  const constraints = spreadConstraints(needs, views, 'ScheduleAnyway');
  if (constraints.length === 0) return fitting.map(() => 0);
  const loads = fitting.map(({ node }) =>
    constraints.reduce((sum, { topologyKey, counts, maxSkew }) => {
      const domain = node.metadata.labels?.[topologyKey];
      return sum + (counts.get(domain ?? '') ?? 0) * Math.log(counts.size + 2) + maxSkew - 1;
    }, 0),
  );
  const [least, most] = [leastOf(loads), mostOf(loads)];
  return loads.map((load, at) => {
    const labels = fitting[at]?.node.metadata.labels ?? {};
    if (constraints.some(({ topologyKey }) => labels[topologyKey] === undefined)) return 0;
    return most === 0 ? highest : (highest * (most + least - load)) / most;
  });
}

function neighborWeights(
  needs: PodNeeds,
  fitting: readonly NodeView[],
  { views, labelsOf }: { readonly views: readonly NodeView[]; readonly labelsOf: NamespaceLabels },
): readonly number[] {
  const sums = preferredWeights(needs, views, labelsOf);
  const byNode = new Map(views.map(({ node }, at) => [node.metadata.name, sums[at] ?? 0]));
  return fitting.map(({ node }) => byNode.get(node.metadata.name) ?? 0);
}

/** Returns the fractions of the CPU and of the memory of the node that are free after the Pod starts. */
function freeFractions({ requests }: PodNeeds, { node, used }: NodeView): readonly number[] {
  return ['cpu', 'memory'].map((name) => {
    const total = Number(parseQuantity(String(valueAt(node, 'status', 'allocatable', name) ?? 0)).nanos);
    const taken = Number((used.get(name) ?? 0n) + (requests.get(name) ?? 0n));
    return total === 0 ? 0 : Math.max(0, 1 - taken / total);
  });
}

function balanceScore(fractions: readonly number[]): number {
  const mean = average(fractions);
  return highest * (1 - Math.sqrt(average(fractions.map((fraction) => (fraction - mean) ** 2))));
}

/** Returns the number of Pods on the node with the same controller as the Pod. */
function siblingsOn({ pods }: NodeView, { pod }: PodNeeds): number {
  const uid = controlledBy(pod)?.uid;
  if (uid === undefined) return 0;
  return [...pods.values()].filter((other) => controlledBy(other.pod)?.uid === uid).length;
}

/** Scales values to scores, so that the highest value has the highest score. */
function scaled(values: readonly number[]): readonly number[] {
  const most = mostOf(values);
  return values.map((value) => (most === 0 ? 0 : (highest * value) / most));
}

/** Scales values to scores, so that the highest value has the score 0. */
function reversed(values: readonly number[]): readonly number[] {
  return scaled(values).map((score) => highest - score);
}

/** Scales values to scores, so that the lowest value has the score 0, and the highest value the highest score. */
function ranged(values: readonly number[]): readonly number[] {
  const [least, most] = [leastOf(values), mostOf(values)];
  return values.map((value) => (most === least ? 0 : (highest * (value - least)) / (most - least)));
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
