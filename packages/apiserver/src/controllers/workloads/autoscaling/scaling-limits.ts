import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { numberAt, objectAt, objectsAt } from '../../../registry/objects/json-object.js';
import { leastOf, mostOf } from '../../objects/extremes.js';
import type { ScalingHistory } from './scaling-history.js';

/** The default of `--horizontal-pod-autoscaler-downscale-stabilization`, in seconds. */
const stabilizationSeconds = 300;
const leastGrowth = 4;

/** A number of replicas, and the condition that explains the number. */
export interface Decision {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

/** The replicas that an autoscaler can choose. */
export interface ScalingRange {
  readonly current: number;
  readonly desired: number;
  readonly min: number;
  readonly max: number;
}

const higher = 'recent recommendations were higher than current one, applying the highest recent recommendation';
const lower = 'recent recommendations were lower than current one, applying the lowest recent recommendation';
const tooMany = 'the desired replica count is more than the maximum replica count';
const tooFew = 'the desired replica count is less than the minimum replica count';
const tooFast = (change: 'increasing' | 'decreasing'): string =>
  `the desired replica count is ${change} faster than the maximum scale rate`;

/** Returns the recommendation that follows from the recent recommendations, and records the desired replicas. */
export function stabilized(
  autoscaler: ApiObject,
  { current, desired }: Pick<ScalingRange, 'current' | 'desired'>,
  { history, nowMs }: { readonly history: ScalingHistory; readonly nowMs: number },
): Decision {
  const behavior = objectAt(autoscaler, 'spec')['behavior'];
  const ready = { reason: 'ReadyForNewScale', message: 'recommended size matches current size' };
  const downMs = nowMs - (numberAt(behavior, 'scaleDown', 'stabilizationWindowSeconds') ?? stabilizationSeconds) * 1000;
  const greatest = Math.max(desired, mostOf(history.recommendedAfter(downMs)));
  if (behavior === undefined) {
    history.recommend(desired, { atMs: nowMs, oldMs: downMs });
    if (greatest === desired) return { ...ready, replicas: desired };
    return { replicas: greatest, reason: 'ScaleDownStabilized', message: higher };
  }
  const upMs = nowMs - (numberAt(behavior, 'scaleUp', 'stabilizationWindowSeconds') ?? 0) * 1000;
  const least = Math.min(desired, leastOf(history.recommendedAfter(upMs)));
  history.recommend(desired, { atMs: nowMs, oldMs: Math.min(upMs, downMs) });
  const replicas = Math.min(Math.max(current, least), greatest);
  if (replicas === desired) return { ...ready, replicas };
  return desired >= current
    ? { replicas, reason: 'ScaleUpStabilized', message: lower }
    : { replicas, reason: 'ScaleDownStabilized', message: higher };
}

/** Returns the replicas within the limits of the autoscaler: its minimum, its maximum, and its rates. */
export function limited(
  autoscaler: ApiObject,
  range: ScalingRange,
  past: { readonly history: ScalingHistory; readonly nowMs: number },
): Decision {
  const behavior = objectAt(autoscaler, 'spec')['behavior'];
  return behavior === undefined ? limitedByDefault(range) : limitedByRates(range, behavior, past);
}

/** Returns the longest period of the policies for a direction, in milliseconds. */
export function longestPeriodMs(behavior: unknown, direction: 'scaleUp' | 'scaleDown'): number {
  const periods = objectsAt(behavior, direction, 'policies').map((policy) => numberAt(policy, 'periodSeconds') ?? 0);
  return Math.max(0, mostOf(periods)) * 1000;
}

function limitedByDefault({ current, desired, min, max }: ScalingRange): Decision {
  const fastest = Math.max(2 * current, leastGrowth);
  if (desired < min) return { replicas: min, reason: 'TooFewReplicas', message: tooFew };
  if (desired <= Math.min(fastest, max)) return within(desired);
  return max > fastest
    ? { replicas: fastest, reason: 'ScaleUpLimit', message: tooFast('increasing') }
    : { replicas: max, reason: 'TooManyReplicas', message: tooMany };
}

function limitedByRates(
  { current, desired, min, max }: ScalingRange,
  behavior: unknown,
  past: { readonly history: ScalingHistory; readonly nowMs: number },
): Decision {
  if (desired > current) {
    const fastest = Math.max(current, rateLimit(current, objectAt(behavior, 'scaleUp'), { ...past, sign: 1 }));
    if (desired <= Math.min(max, fastest)) return within(desired);
    return max > fastest
      ? { replicas: fastest, reason: 'ScaleUpLimit', message: tooFast('increasing') }
      : { replicas: max, reason: 'TooManyReplicas', message: tooMany };
  }
  if (desired < current) {
    const fastest = Math.min(current, rateLimit(current, objectAt(behavior, 'scaleDown'), { ...past, sign: -1 }));
    if (desired >= Math.max(min, fastest)) return within(desired);
    return min < fastest
      ? { replicas: fastest, reason: 'ScaleDownLimit', message: tooFast('decreasing') }
      : { replicas: min, reason: 'TooFewReplicas', message: tooFew };
  }
  return within(desired);
}

/** Returns the replicas that the policies of a direction allow. */
function rateLimit(
  current: number,
  { selectPolicy, policies }: JsonDraft,
  { history, nowMs, sign }: { readonly history: ScalingHistory; readonly nowMs: number; readonly sign: 1 | -1 },
): number {
  if (selectPolicy === 'Disabled') return current;
  const proposals = objectsAt({ policies }, 'policies').map((policy) => {
    const value = numberAt(policy, 'value') ?? 0;
    const start = current - history.changeAfter(nowMs - (numberAt(policy, 'periodSeconds') ?? 0) * 1000);
    if (policy['type'] === 'Pods') return start + sign * value;
    const share = start * (1 + (sign * value) / 100);
    return sign > 0 ? Math.ceil(share) : Math.trunc(share);
  });
  const isLargest = (selectPolicy === 'Min') === sign < 0;
  return isLargest ? mostOf(proposals) : leastOf(proposals);
}

function within(replicas: number): Decision {
  const message = 'the desired count is within the acceptable range';
  return { replicas, reason: 'DesiredWithinRange', message };
}
