import { type Condition, findCondition, type KubeObject } from '@kubewright/api';

interface Observed extends KubeObject {
  readonly status?: Readonly<Record<string, unknown>> & { readonly conditions?: readonly Condition[] };
}

/** Types of conditions that are True if an object has reached its desired state. The first condition that exists is evaluated. */
const POSITIVE = ['Ready', 'Available', 'Complete', 'Completed', 'Succeeded', 'Reconciled'];
/** Types of conditions that are True if an object has not reached its desired state. */
const NEGATIVE = ['Stalled', 'Failed', 'Degraded', 'Reconciling'];
const PHASE_OF_FAILURE = /fail|error|unknown|stalled|degraded|invalid/i;
const PHASE_ON_THE_WAY = /^(?!running$)(?:.*ing|new|queued|scheduled|accepted|initializ.*|notready|not ready)$/i;

/**
 * Returns the reason why an object has not reached its desired state; undefined if it has reached this state. Works for any kind that
 * follows the Kubernetes API conventions. An object has not reached its desired state in these cases, checked in this order:
 *
 * - The object is being deleted.
 * - `status.observedGeneration` is older than the generation of the object.
 * - A condition reports that the object is stalled, failed, degraded, or being reconciled.
 * - `Ready` or a similar condition is not True.
 * - `status.phase` or `status.state` reports a failure or an intermediate state, such as Pending or Queued.
 *
 * Otherwise, the object has reached its desired state if the status or the positive condition has an `observedGeneration`, or if the
 * operator is idle.
 */
export function unsettled(object: Observed, operator: { readonly idle: boolean }): string | undefined {
  const { metadata, status = {} } = object;
  if (metadata.deletionTimestamp !== undefined) return 'it is being deleted';
  const { observedGeneration } = status;
  if (typeof observedGeneration === 'number' && observedGeneration < (metadata.generation ?? 0)) {
    return `status.observedGeneration is ${observedGeneration}, but the generation is ${metadata.generation}`;
  }
  const bad = NEGATIVE.map((type) => findCondition(object, type)).find((condition) => condition?.status === 'True');
  if (bad !== undefined) return reported(bad);
  const good = POSITIVE.map((type) => findCondition(object, type)).find((condition) => condition !== undefined);
  if (good !== undefined && good.status !== 'True') return reported(good);
  const phase = status['phase'] ?? status['state'];
  if (typeof phase === 'string' && (PHASE_OF_FAILURE.test(phase) || PHASE_ON_THE_WAY.test(phase))) {
    return `its phase is ${phase}`;
  }
  const isReported = typeof observedGeneration === 'number' || good?.observedGeneration !== undefined;
  return isReported || operator.idle ? undefined : 'the operator still has work to do';
}

function reported({ type, status, reason, message }: Condition): string {
  const why = [reason, message].filter((part) => part !== undefined && part !== '').join(': ');
  return `${type} is ${status}${why === '' ? '' : ` (${why})`}`;
}
