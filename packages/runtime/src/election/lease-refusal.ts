import { ApiError } from '@kubewright/api/errors';

const RULE = '{ apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "create", "update"] }';

/** Why the server does not let this process contend, with the cure; undefined for what may be well again by itself. */
export function leaseRefusal(lease: string, error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const cure = cureOf(error);
  return cure && `cannot contend for ${lease}: ${error.body.message ?? error.message}; ${cure}`;
}

function cureOf({ status, body }: ApiError): string | undefined {
  if (status === 401) return 'the server does not know these credentials; renew them';
  if (status === 403) return `bind a role to it with the rule ${RULE}`;
  // A Lease that is not there is created; what is missing then is its namespace.
  if (status === 404 && body.details?.kind === 'namespaces') return 'create the namespace, or name another one';
  return undefined;
}
