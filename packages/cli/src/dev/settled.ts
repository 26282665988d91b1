import { type Condition, findCondition, type KubeObject } from '@kubewright/api';

interface Observed extends KubeObject {
  readonly status?: Readonly<Record<string, unknown>> & { readonly conditions?: readonly Condition[] };
}

/** Conditions that say yes or no to whether an object is as it was asked for, the clearest first. */
const POSITIVE = ['Ready', 'Available', 'Complete', 'Completed', 'Succeeded', 'Reconciled'];
/** Conditions that say that it is not. */
const NEGATIVE = ['Stalled', 'Failed', 'Degraded', 'Reconciling'];
const PHASE_OF_FAILURE = /fail|error|unknown|stalled|degraded|invalid/i;
const PHASE_ON_THE_WAY = /^(?!running$)(?:.*ing|new|queued|scheduled|accepted|initializ.*|notready|not ready)$/i;

/**
 * Why an object is not yet as it was asked for; undefined where it is. Of any kind, by the conventions of Kubernetes, the first that says
 * something counts: it is being deleted; `status.observedGeneration` is older than its generation; a condition says that it is stalled,
 * failed, degraded or being reconciled; `Ready` or a condition like it says whether it is; `status.phase` or `status.state` is that of a failure, or
 * ends in '-ing' as what is under way does, but for Running. Where nothing of that is there, it is when the operator has nothing left to do.
 */
export function unsettled(object: Observed, operator: { readonly idle: boolean }): string | undefined {
  const { metadata, status = {} } = object;
  if (metadata.deletionTimestamp !== undefined) return 'it is being deleted';
  const { observedGeneration } = status;
  if (typeof observedGeneration === 'number' && observedGeneration < (metadata.generation ?? 0)) {
    return `its status is of generation ${observedGeneration}, and it is at ${metadata.generation}`;
  }
  const bad = NEGATIVE.map((type) => findCondition(object, type)).find((condition) => condition?.status === 'True');
  if (bad !== undefined) return told(bad);
  const good = POSITIVE.map((type) => findCondition(object, type)).find((condition) => condition !== undefined);
  if (good !== undefined && good.status !== 'True') return told(good);
  const phase = status['phase'] ?? status['state'];
  if (typeof phase === 'string' && (PHASE_OF_FAILURE.test(phase) || PHASE_ON_THE_WAY.test(phase))) {
    return `its phase is ${phase}`;
  }
  const isSaid = typeof observedGeneration === 'number' || good?.observedGeneration !== undefined;
  return isSaid || operator.idle ? undefined : 'the operator has still something to do';
}

function told({ type, status, reason, message }: Condition): string {
  const why = [reason, message].filter((part) => part !== undefined && part !== '').join(': ');
  return `${type} is ${status}${why === '' ? '' : ` (${why})`}`;
}
