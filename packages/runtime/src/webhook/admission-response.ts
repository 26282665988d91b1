import type { Status } from '@kubewright/api/errors';
import type { JsonPatchOperation } from '@kubewright/api/patch';
import { stringifyJson } from '@kubewright/api/json';

/** The decision of an admission webhook. */
export interface AdmissionDecision {
  readonly allowed: boolean;
  /** The status of the response. */
  readonly status: Partial<Status> & { readonly code: number };
  /** The changes of a mutating webhook. */
  readonly patch?: readonly JsonPatchOperation[];
}

/** Returns the decision to admit the request, with the changes of a mutating webhook. */
export function allowed(patch: readonly JsonPatchOperation[] = []): AdmissionDecision {
  return { allowed: true, status: { metadata: {}, code: 200 }, ...(patch.length > 0 && { patch }) };
}

/** Returns the decision to reject the request with a status. */
export function denied(status: AdmissionDecision['status']): AdmissionDecision {
  return { allowed: false, status: { metadata: {}, status: 'Failure', ...status } };
}

/** Returns the `response` of an AdmissionReview. */
export function admissionResponse(uid: string, decision: AdmissionDecision, warnings: readonly string[]): object {
  const { patch } = decision;
  return {
    uid,
    allowed: decision.allowed,
    status: decision.status,
    ...(patch !== undefined && {
      patchType: 'JSONPatch',
      patch: Buffer.from(stringifyJson(patch)).toString('base64'),
    }),
    ...(warnings.length > 0 && { warnings }),
  };
}
