import { KubewrightError } from '@kubewright/api/errors';

/**
 * Codes of errors in the environment of a program: cluster, network, credentials, permissions, ports, flags. Their messages are complete
 * without a stack trace.
 */
const SURROUNDINGS: ReadonlySet<string> = new Set([
  'ADDRESS_IN_USE',
  'API_ERROR',
  'CANNOT_LISTEN',
  'CREDENTIALS_FAILED',
  'CREDENTIAL_PLUGIN_FAILED',
  'DISCOVERY_FAILED',
  'FORBIDDEN',
  'INVALID_ANSWER',
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
  'NO_COORDINATION',
  'OIDC_FAILED',
  'REQUEST_FAILED',
  'REQUEST_TIMEOUT',
  'SERVER_FAILED',
  'SERVER_UNREACHABLE',
  'UNAUTHENTICATED',
  'UNTRUSTED_SERVER',
]);

/** Whether an error of a manager has its cause in the environment of the program, so that a stack trace is not useful. */
export function isOfSurroundings(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isOfSurroundings);
  return error instanceof KubewrightError && SURROUNDINGS.has(error.code);
}
