import { parseQuantity } from '@kubewright/api/quantity';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { hasNoFields, objectAt, stringAt, valueAt } from '../../../registry/objects/json-object.js';
import { podAmounts } from '../../../registry/quota/resource-amounts.js';
import { conditionOf, isReady } from '../../objects/pod-state.js';
import { containersAndSidecars } from '../../objects/sidecars.js';
import { MetricsError, type PodMetric, type PodMetrics } from './pod-metrics.js';

/** The default of `--horizontal-pod-autoscaler-cpu-initialization-period`. */
const cpuInitializationMs = 300_000;
/** The default of `--horizontal-pod-autoscaler-initial-readiness-delay`. */
const initialReadinessMs = 30_000;
const mostReplicas = 2 ** 31 - 1;
/** The result of Go for the conversion of a number that is not finite to an int64. */
const notFinite = -(2 ** 63);

/** How far the usage can deviate from the target before the replicas change, such as 0.1. */
export interface Tolerances {
  readonly down: number;
  readonly up: number;
}

/** The replicas that a metric requires, and the measured value in thousandths. */
export interface Proposal {
  readonly replicas: number;
  readonly usage: number;
  /** The usage as a percentage of the requests. Only for a target utilization. */
  readonly utilization?: number;
}

/** The state from which the replicas are computed. */
export interface ReplicaState {
  /** The desired replicas of the scale target. */
  readonly current: number;
  readonly tolerances: Tolerances;
  /** The Pods that the selector of the scale target matches. */
  readonly pods: readonly ApiObject[];
  readonly now: Date;
}

/** The measured share of the target. */
interface Measured {
  readonly ratio: number;
  readonly usage: number;
  readonly utilization?: number;
}

/** Returns the milli-value of a quantity. Like Go, rounds up. Throws INVALID_QUANTITY. */
export function thousandths(quantity: string): number {
  const { nanos } = parseQuantity(quantity);
  const [whole, rest] = [nanos / 1_000_000n, nanos % 1_000_000n];
  return Number(rest > 0n ? whole + 1n : whole);
}

/** Returns the replicas for a target utilization, which is a percentage of the requests of the Pods. Throws a MetricsError. */
export function replicasForUtilization(
  state: ReplicaState,
  metrics: PodMetrics,
  target: { readonly utilization: number; readonly resource: string; readonly container: string },
): Proposal {
  let known: ReadonlyMap<string, number> | undefined;
  const requests = (): ReadonlyMap<string, number> => (known ??= requestsOf(state.pods, target));
  const measure = (values: PodMetrics): Measured => {
    const counted = [...values].filter(([pod]) => requests().has(pod));
    const used = counted.reduce((sum, [, { value }]) => sum + value, 0);
    const requested = counted.reduce((sum, [pod]) => sum + (requests().get(pod) ?? 0), 0);
    if (requested === 0) throw new MetricsError('no metrics returned matched known pods');
    const utilization = Math.trunc((used * 100) / requested);
    return { ratio: utilization / target.utilization, utilization, usage: Math.trunc(used / counted.length) };
  };
  const missing = (pod: string): number =>
    Math.trunc(((requests().get(pod) ?? 0) * Math.max(100, target.utilization)) / 100);
  return proposed(state, metrics, { measure, missing, isCpu: target.resource === 'cpu' });
}

/** Returns the replicas for a target average of all Pods, in thousandths. Throws a MetricsError. */
export function replicasForAverage(
  state: ReplicaState,
  metrics: PodMetrics,
  target: { readonly average: number; readonly resource?: string },
): Proposal {
  const measure = (values: PodMetrics): Measured => {
    const used = [...values.values()].reduce((sum, { value }) => sum + value, 0);
    const usage = Math.trunc(used / values.size);
    return { ratio: usage / target.average, usage };
  };
  return proposed(state, metrics, { measure, missing: () => target.average, isCpu: target.resource === 'cpu' });
}

/** Returns the replicas for a value that is proportional to the replicas. Throws a MetricsError. */
export function replicasForValue(state: ReplicaState, usage: number, target: number): Proposal {
  const ratio = usage / target;
  if (state.current === 0) return { replicas: rounded(ratio), usage };
  if (isWithin(state.tolerances, ratio)) return { replicas: state.current, usage };
  if (state.pods.length === 0) throw new MetricsError(`unable to calculate ready pods: ${noPods}`);
  const ready = state.pods.filter((pod) => stringAt(pod, 'status', 'phase') === 'Running' && isReady(pod));
  return { replicas: rounded(ratio * ready.length), usage };
}

/** Returns the replicas for a value that the running replicas share equally, and for the target of each share. */
export function replicasForShare(
  { tolerances, running }: { readonly tolerances: Tolerances; readonly running: number },
  usage: number,
  target: number,
): Proposal {
  const share = Math.ceil(usage / running);
  return {
    replicas: isWithin(tolerances, usage / (target * running)) ? running : rounded(usage / target),
    usage: Number.isFinite(share) ? share : notFinite,
  };
}

const noPods = 'no pods returned by selector while calculating replica count';

/**
 * Returns the replicas that bring the measured value to its target. Assumes values for Pods without a metric and for Pods that are not
 * ready. These values reduce the change.
 */
function proposed(
  { current, tolerances, pods, now }: ReplicaState,
  metrics: PodMetrics,
  rules: {
    readonly measure: (values: PodMetrics) => Measured;
    /** Returns the assumed value of a Pod without a metric when the replicas decrease. */
    readonly missing: (pod: string) => number;
    readonly isCpu: boolean;
  },
): Proposal {
  if (pods.length === 0) throw new MetricsError(noPods);
  const groups = grouped(pods, metrics, { isCpu: rules.isCpu, nowMs: now.getTime() });
  const excluded = new Set([...groups.ignored, ...groups.unready]);
  const values = new Map([...metrics].filter(([pod]) => !excluded.has(pod)));
  if (values.size === 0) {
    throw new MetricsError('did not receive metrics for targeted pods (pods might be unready)');
  }
  const { ratio, ...measured } = rules.measure(values);
  const unchanged = { ...measured, replicas: current };
  const growsWithUnready = groups.unready.length > 0 && ratio > 1;
  if (!growsWithUnready && groups.missing.length === 0) {
    return isWithin(tolerances, ratio) ? unchanged : { ...measured, replicas: rounded(ratio * groups.ready) };
  }
  const assume = (pod: string, value: number): unknown => values.set(pod, { value, atMs: 0, windowMs: 0 });
  for (const pod of groups.missing) {
    if (ratio < 1) assume(pod, rules.missing(pod));
    if (ratio > 1) assume(pod, 0);
  }
  if (growsWithUnready) for (const pod of groups.unready) assume(pod, 0);
  const next = rules.measure(values).ratio;
  // The assumed values must not reverse the direction of the change.
  if (isWithin(tolerances, next) || (ratio < 1 && next > 1) || (ratio > 1 && next < 1)) return unchanged;
  const replicas = rounded(next * values.size);
  if ((next < 1 && replicas > current) || (next > 1 && replicas < current)) return unchanged;
  return { ...measured, replicas };
}

function isWithin({ down, up }: Tolerances, ratio: number): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}

function rounded(replicas: number): number {
  return Math.min(Math.ceil(replicas), mostReplicas);
}

interface Groups {
  readonly ready: number;
  readonly unready: readonly string[];
  readonly missing: readonly string[];
  readonly ignored: readonly string[];
}

function grouped(
  pods: readonly ApiObject[],
  metrics: PodMetrics,
  options: { readonly isCpu: boolean; readonly nowMs: number },
): Groups {
  const groups = { ready: 0, unready: [] as string[], missing: [] as string[], ignored: [] as string[] };
  for (const pod of pods) {
    const { name, deletionTimestamp } = pod.metadata;
    const phase = stringAt(pod, 'status', 'phase');
    const metric = metrics.get(name);
    if (deletionTimestamp !== undefined || phase === 'Failed') groups.ignored.push(name);
    else if (phase === 'Pending') groups.unready.push(name);
    else if (metric === undefined) groups.missing.push(name);
    else if (options.isCpu && isStarting(pod, metric, options.nowMs)) groups.unready.push(name);
    else groups.ready += 1;
  }
  return groups;
}

/** Returns whether the CPU usage of a Pod does not count, because the Pod may still be starting. */
function isStarting(pod: ApiObject, metric: PodMetric, nowMs: number): boolean {
  const ready = conditionOf(pod, 'Ready');
  const startMs = Date.parse(stringAt(pod, 'status', 'startTime'));
  if (ready === undefined || Number.isNaN(startMs)) return true;
  const isUnready = ready['status'] === 'False';
  const changeMs = Date.parse(stringAt(ready, 'lastTransitionTime'));
  if (startMs + cpuInitializationMs > nowMs) return isUnready || metric.atMs < changeMs + metric.windowMs;
  return isUnready && startMs + initialReadinessMs > changeMs;
}

/** Returns the requests of the Pods in thousandths, by the names of the Pods. */
function requestsOf(
  pods: readonly ApiObject[],
  { resource, container }: { readonly resource: string; readonly container: string },
): ReadonlyMap<string, number> {
  return new Map(
    pods.map((pod) => {
      const ofPod = container === '' && !hasNoFields(objectAt(pod, 'spec', 'resources', 'requests'));
      return [pod.metadata.name, ofPod ? podRequest(pod, resource) : containerRequest(pod, resource, container)];
    }),
  );
}

function podRequest(pod: ApiObject, resource: string): number {
  const amount = podAmounts(objectAt(pod, 'spec'), 'requests').get(resource);
  if (amount !== undefined) return Number(amount.nanos / 1_000_000n);
  throw new MetricsError(`missing pod-level request for ${resource} in Pod ${pod.metadata.name}`);
}

function containerRequest(pod: ApiObject, resource: string, container: string): number {
  const all = containersAndSidecars(pod);
  const counted = container === '' ? all : all.filter((each) => each['name'] === container);
  const { name } = pod.metadata;
  if (container !== '' && counted.length === 0)
    throw new MetricsError(`container ${container} not found in Pod ${name}`);
  return counted.reduce((sum, each) => {
    const request = valueAt(each, 'resources', 'requests', resource);
    if (typeof request === 'string') return sum + thousandths(request);
    throw new MetricsError(`missing request for ${resource} in container ${stringAt(each, 'name')} of Pod ${name}`);
  }, 0);
}
