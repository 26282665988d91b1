import { ApiError } from '@kubewright/api/errors';

const RULE = '{ apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "create", "update"] }';

/**
 * Returns why the server rejects this candidate, with the fix, for a 401, a 403 and a missing namespace. Returns undefined for all other
 * errors.
 */
export function leaseRefusal(lease: string, error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const remedy = remedyOf(error);
  return remedy && `cannot acquire ${lease}: ${error.body.message ?? error.message}; ${remedy}`;
}

function remedyOf({ status, body }: ApiError): string | undefined {
  if (status === 401) return 'the server rejected the credentials; renew them';
  if (status === 403) return `bind a role with the rule ${RULE} to this user`;
  // A missing Lease is created. A 404 can therefore only mean that the namespace is missing.
  if (status === 404 && body.details?.kind === 'namespaces') return 'create the namespace, or set another namespace';
  return undefined;
}
