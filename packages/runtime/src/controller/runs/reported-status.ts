import { findCondition, type KubeObject } from '@kubewright/api';

/** The part of a status that a controller reports after a run. */
export interface ReportedStatus {
  readonly condition:
    | { readonly type: string; readonly status: boolean; readonly reason: string; readonly message: string }
    | undefined;
  /** Whether the controller reports the generation of the object as observed. */
  readonly observed: boolean;
  /** Whether the schema of the status has an observedGeneration. Undefined if the schema is unknown. */
  readonly observesGeneration: boolean | undefined;
}

/**
 * Whether the object already has this status, so that `patchStatus` would not send a request. Returns false if in doubt, for example if the
 * condition has no transition time.
 */
export function hasReportedStatus(object: KubeObject, reported: ReportedStatus): boolean {
  const { condition, observed, observesGeneration } = reported;
  const { generation } = object.metadata;
  if (observed && generation !== undefined) {
    const known = observedGenerationOf(object);
    const hasNone = observesGeneration === false && known === undefined;
    if (!hasNone && known !== generation) return false;
  }
  if (condition === undefined) return true;
  const known = findCondition(object as Parameters<typeof findCondition>[0], condition.type);
  return (
    known !== undefined &&
    known.status === (condition.status ? 'True' : 'False') &&
    known.reason === condition.reason &&
    known.message === condition.message &&
    typeof known.lastTransitionTime === 'string' &&
    known.lastTransitionTime !== '' &&
    (known.observedGeneration === undefined || known.observedGeneration === generation)
  );
}

function observedGenerationOf(object: KubeObject): unknown {
  const { status } = object as { readonly status?: { readonly observedGeneration?: unknown } | null };
  return status?.observedGeneration;
}
