import type { ApiError } from '@kubewright/api/errors';
import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import { failure, forbidden } from '../../registry/requests/status-errors.js';

const codes: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };
const invalidCode = 422;

/** Returns the error of a request that a ValidatingAdmissionPolicy refuses. */
export function policyDenial(
  request: AdmissionRequest,
  {
    policy,
    binding,
    message,
    reason,
  }: {
    readonly policy: string;
    readonly binding: string | undefined;
    readonly message: string;
    readonly reason: string;
  },
): ApiError {
  const who = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`;
  const why = `ValidatingAdmissionPolicy ${who} denied request: ${message}`;
  const { message: whole, details = {} } = forbidden(request.definition, deniedName(request), { why }).body;
  return failure(codes[reason] ?? invalidCode, reason, {
    message: whole ?? '',
    details: { ...details, causes: [{ message: why }] },
  });
}

/**
 * Returns the error of a request that MutatingAdmissionPolicies refuse. The Status contains the first message and the reason of this
 * message.
 */
export function mutationDenial(
  request: AdmissionRequest,
  errors: readonly { readonly message: string; readonly reason: string }[],
): ApiError {
  const { details = {}, code } = forbidden(request.definition, deniedName(request), { why: '' }).body;
  const [first] = errors;
  return failure(code, first?.reason ?? '', {
    message: first?.message ?? '',
    details: { ...details, causes: errors.map(({ message }) => ({ message })) },
  });
}

/**
 * Returns the object name in a denial. Until the server generates a name, the denial contains the generateName. If the request has no
 * object, the denial contains `Unknown`.
 */
function deniedName({ name, key, object }: AdmissionRequest): string {
  if (name !== '') return name;
  return object === undefined ? 'Unknown' : key.name;
}
