import { type WriteName, writeNameText } from '../../../writes/write-name.js';
import type { ClusterProblem, Fault, FaultKind } from './fault.js';

/**
 * The names of the points of a trial at which faults can occur, each list in the order of occurrence. The writes are in the observations of
 * the trial.
 */
export interface FaultPoints {
  /** The reads of the operator. */
  readonly reads: readonly string[];
  /** The changes that the operator received. Empty unless the trial records changes. */
  readonly changes: readonly string[];
  /** The plural names of the resources whose changes the operator received. */
  readonly resources: readonly string[];
  /** The calls of external systems. */
  readonly calls: readonly string[];
  /** The writes of the operator while another replica was the leader. */
  readonly unled: readonly string[];
}

/** The properties of a trial without faults that determine which faults are possible. */
export interface DisturbedTrial {
  readonly points: FaultPoints;
  readonly writes: readonly WriteName[];
  /** Whether the operator starts again during the trial. */
  readonly hasRestart: boolean;
  /** The kinds of the operator itself. */
  readonly customKinds: readonly string[];
  /** Whether objects exist before the trial. */
  readonly hasObjects: boolean;
}

/** A date after the largest time in seconds that a signed 32-bit integer can represent. */
const LATE = '2040-02-29T23:59:00Z';
/** The verbs of writes that the server can refuse because of a concurrent change of the object. */
const CONDITIONAL = new Set(['update', 'patch', 'delete']);
/** The resources whose objects have Pods. */
const WITH_PODS = ['pods', 'deployments', 'replicasets', 'statefulsets', 'daemonsets', 'jobs'];
/** The resources whose objects have PersistentVolumeClaims. */
const WITH_CLAIMS = ['persistentvolumeclaims', 'statefulsets'];

/**
 * Returns the faults of one kind that can change a trial, in the order of their points. For the kind `stale`, changes of the operator's own
 * kinds precede all other changes.
 */
export function faultsOf(kind: FaultKind, trial: DisturbedTrial): readonly Fault[] {
  const { points, hasRestart, customKinds } = trial;
  const writes = trial.writes.map(writeNameText);
  switch (kind) {
    case 'crash':
      // A crash before a write equals a crash after the previous write, except for the first write of a reconcile and for calls.
      return [
        ...writes.map((write): Fault => ({ kind, at: 'after', write })),
        ...points.calls.map((call): Fault => ({ kind, at: 'after', call })),
      ];
    case 'request':
      return [
        ...trial.writes.flatMap((write) => failuresOf(write)),
        ...points.reads.map((request): Fault => ({ kind, request, failure: 'error' })),
      ];
    case 'event':
      return points.changes.flatMap((change): readonly Fault[] => [
        { kind, change, effect: 'dropped' },
        { kind, change, effect: 'held' },
      ]);
    case 'watch':
      return points.resources.map((resource): Fault => ({ kind, resource }));
    case 'stale': {
      if (!hasRestart) return [];
      const isOfOperator = (change: string): boolean =>
        customKinds.some((each) => change.split(' ')[1]?.startsWith(`${each}/`));
      const own = points.changes.filter(isOfOperator);
      return [...own, ...points.changes.filter((change) => !own.includes(change))].map((change) => ({ kind, change }));
    }
    case 'order':
      return hasRestart ? [{ kind }] : [];
    case 'lease':
      return writes.map((write) => ({ kind, write }));
    case 'clock':
      return [{ kind, start: LATE }];
    case 'call':
      return points.calls.flatMap((call): readonly Fault[] => [
        { kind, call, failure: 'refused' },
        { kind, call, failure: 'lost' },
      ]);
    case 'cluster':
      return problemsOf(trial);
  }
}

function failuresOf(write: WriteName): readonly Fault[] {
  const request = writeNameText(write);
  const failures = ['lost', 'error', 'throttled', 'unavailable'] as const;
  return [...(CONDITIONAL.has(write.verb) ? (['conflict'] as const) : []), ...failures].map((failure) => ({
    kind: 'request',
    request,
    failure,
  }));
}

function problemsOf({ points, hasObjects }: DisturbedTrial): readonly Fault[] {
  const concerns = (resources: readonly string[]): boolean => resources.some((each) => points.resources.includes(each));
  const problems: readonly ClusterProblem['problem'][] = [
    ...(concerns(WITH_PODS) ? (['no-nodes', 'not-ready'] as const) : []),
    ...(concerns(WITH_CLAIMS) ? (['no-storage'] as const) : []),
    ...(hasObjects ? (['late-objects'] as const) : []),
  ];
  return problems.map((problem) => ({ kind: 'cluster', problem }));
}
