import type { Steps } from '@kubewright/api/apply';
import { append } from '@kubewright/api/json';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { numberAt, stringAt } from '../../../registry/objects/json-object.js';
import { conditionOf } from '../../objects/pod-state.js';
import { type NodeView, withoutPod, withPod } from './cluster-view.js';
import { leastOf } from '../../objects/extremes.js';
import { type PlacementSetting, reasonsWith, type UnfitView } from './placement.js';
import type { PodNeeds } from './pod-needs.js';

/** A node, and the Pods that must end so that another Pod fits on this node. */
export interface Candidate {
  readonly view: NodeView;
  /** The Pods to remove, with the highest priority first. Not empty. */
  readonly victims: readonly PodNeeds[];
  /** The number of victims that a PodDisruptionBudget protects. */
  readonly violations: number;
}

/** The result of a preemption: the best candidate, or the message why the preemption does not help. */
export type Preemption =
  | { readonly candidate: Candidate }
  /** `isPending` is true if the Pod stays nominated for its node. */
  | { readonly message: string; readonly isPending: boolean };

/** The PodDisruptionBudget of a Pod, with the number of Pods that can still be disrupted. */
export interface Budget {
  readonly matches: (pod: ApiObject) => boolean;
  readonly allowed: number;
}

interface PreemptionSetting extends PlacementSetting {
  readonly budgets: readonly Budget[];
}

const notHelpful = 'Preemption is not helpful for scheduling';
const noVictims = 'No preemption victims found for incoming pod';

/** Finds the node on which the removal of Pods with a lower priority makes room for a Pod, in steps. */
export function* preempt(needs: PodNeeds, unfit: readonly UnfitView[], setting: PreemptionSetting): Steps<Preemption> {
  const ineligible = whyIneligible(needs, unfit, setting);
  if (ineligible !== undefined) return { message: ineligible, isPending: true };
  const views = setting.cluster.viewsFor(needs);
  const candidates: Candidate[] = [];
  const messages: string[] = [];
  for (const { view, reasons } of unfit) {
    if (!reasons.every(({ resolvable }) => resolvable)) {
      messages.push(notHelpful);
      continue;
    }
    const found = yield* candidateOn(needs, view, { ...setting, views });
    if ('victims' in found) candidates.push(found);
    else append(messages, found.reasons);
    yield;
  }
  const [first, ...others] = candidates;
  if (first === undefined) return { message: countedReasons(messages, setting.cluster.size), isPending: false };
  return { candidate: others.reduce((best, next) => (isBetter(next, best) ? next : best), first) };
}

/** Returns the number of times that each reason occurs, as the scheduler reports it: `0/3 nodes are available: 3 …`. */
export function countedReasons(reasons: readonly string[], nodes: number): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const texts = [...counts].map(([reason, count]) => `${count} ${reason}`).toSorted();
  return `0/${nodes} nodes are available: ${texts.join(', ')}.`;
}

function whyIneligible(needs: PodNeeds, unfit: readonly UnfitView[], setting: PreemptionSetting): string | undefined {
  if (stringAt(needs.pod, 'spec', 'preemptionPolicy') === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const nominated = stringAt(needs.pod, 'status', 'nominatedNodeName');
  const found = unfit.find(({ view }) => view.node.metadata.name === nominated);
  if (found === undefined || found.reasons.some(({ resolvable }) => !resolvable)) return undefined;
  const pods = [...(setting.cluster.view(nominated)?.pods.values() ?? [])];
  const isEnding = pods.some(({ pod, priority }) => priority < needs.priority && endsByPreemption(pod));
  return isEnding ? 'not eligible due to a terminating pod on the nominated node.' : undefined;
}

function endsByPreemption(pod: ApiObject): boolean {
  const { reason, status } = conditionOf(pod, 'DisruptionTarget') ?? {};
  return pod.metadata.deletionTimestamp !== undefined && status === 'True' && reason === 'PreemptionByScheduler';
}

/**
 * Returns the Pods with a lower priority to remove from a node so that the Pod fits, or the reasons why the removal does not help. Keeps
 * each Pod whose removal is not necessary.
 */
function* candidateOn(
  needs: PodNeeds,
  view: NodeView,
  setting: PreemptionSetting & { readonly views: readonly NodeView[] },
): Steps<Candidate | { readonly reasons: readonly string[] }> {
  const lower = [...view.pods.values()].filter(({ priority }) => priority < needs.priority).toSorted(byImportance);
  if (lower.length === 0) return { reasons: [noVictims] };
  let current = lower.reduce(withoutPod, view);
  const reasons = yield* reasonsWith(needs, current, setting);
  if (reasons.length > 0) return { reasons: reasons.map(({ reason }) => reason) };
  const victims: PodNeeds[] = [];
  const { violating, others } = byBudget(lower, setting.budgets);
  // Protected Pods and important Pods are kept first.
  for (const pod of [...violating, ...others]) {
    const kept = withPod(current, pod);
    if ((yield* reasonsWith(needs, kept, setting)).length === 0) current = kept;
    else victims.push(pod);
    yield;
  }
  const protectedPods = new Set(violating);
  const violations = victims.filter((victim) => protectedPods.has(victim)).length;
  return victims.length === 0
    ? { reasons: [noVictims] }
    : { view, victims: victims.toSorted(byImportance), violations };
}

/** Divides Pods into those whose removal violates a PodDisruptionBudget, and the others. */
function byBudget(
  pods: readonly PodNeeds[],
  budgets: readonly Budget[],
): { readonly violating: readonly PodNeeds[]; readonly others: readonly PodNeeds[] } {
  const left = budgets.map(({ allowed }) => allowed);
  const violating: PodNeeds[] = [];
  const others: PodNeeds[] = [];
  for (const each of pods) {
    let isViolating = false;
    for (const [at, { matches }] of budgets.entries()) {
      if (!matches(each.pod)) continue;
      left[at] = (left[at] ?? 0) - 1;
      if ((left[at] ?? 0) < 0) isViolating = true;
    }
    (isViolating ? violating : others).push(each);
  }
  return { violating, others };
}

/** Sorts the Pods with the highest priority first, and Pods with the same priority by their start. */
function byImportance(a: PodNeeds, b: PodNeeds): number {
  return b.priority - a.priority || startOf(a) - startOf(b);
}

function startOf({ pod }: PodNeeds): number {
  return Date.parse(stringAt(pod, 'status', 'startTime') || pod.metadata.creationTimestamp);
}

/**
 * Whether a candidate is better than the best candidate. The first difference decides, in this order: fewer protected victims, a lower
 * highest priority, a lower sum of priorities, fewer victims, and a later start of the victims with the highest priority.
 */
function isBetter(candidate: Candidate, best: Candidate): boolean {
  const rank = ({ victims, violations }: Candidate): readonly number[] => {
    const highest = victims[0]?.priority ?? 0;
    const earliest = leastOf(victims.filter(({ priority }) => priority === highest).map(startOf));
    const sum = victims.reduce((total, { priority }) => total + priority + 2 ** 31, 0);
    return [violations, highest, sum, victims.length, -earliest];
  };
  const [own, other] = [rank(candidate), rank(best)];
  const at = own.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (own[at] ?? 0) < (other[at] ?? 0);
}

/** Returns the budget of one PodDisruptionBudget. `matches` returns whether the PodDisruptionBudget selects a Pod. */
export function budgetOf(budget: ApiObject, matches: (pod: ApiObject) => boolean): Budget {
  return { matches, allowed: numberAt(budget, 'status', 'disruptionsAllowed') ?? 0 };
}
