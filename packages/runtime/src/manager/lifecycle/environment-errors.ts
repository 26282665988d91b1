import { KubewrightError } from '@kubewright/api/errors';

/**
 * The codes of errors whose cause is in the environment of the program: cluster, network, credentials, permissions, ports or flags. The
 * messages of these errors are sufficient without a stack trace.
 */
const ENVIRONMENT: ReadonlySet<string> = new Set([
  'ADDRESS_IN_USE',
  'API_ERROR',
  'CANNOT_LISTEN',
  'CREDENTIALS_FAILED',
  'CREDENTIAL_PLUGIN_FAILED',
  'DISCOVERY_FAILED',
  'FORBIDDEN',
  'INVALID_RESPONSE',
  'INVALID_CERTIFICATE',
  'INVALID_KUBECONFIG',
  'INVALID_LEADER_ELECTION',
  'INVALID_PROXY',
  'INVALID_SERVER',
  'INVALID_SETTING',
  'KIND_NOT_SERVED',
  'LEADERSHIP_LOST',
  'NOT_SYNCED',
  'NO_CLUSTER',
  'COORDINATION_NOT_SUPPORTED',
  'OIDC_FAILED',
  'REQUEST_FAILED',
  'REQUEST_TIMEOUT',
  'SERVER_FAILED',
  'SERVER_UNREACHABLE',
  'UNAUTHENTICATED',
  'UNTRUSTED_SERVER',
]);

/** Whether the cause of an error is in the environment of the program, so that a stack trace would not help. */
export function isEnvironmentError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isEnvironmentError);
  return error instanceof KubewrightError && ENVIRONMENT.has(error.code);
}
