import { KubewrightError } from '@kubewright/api/errors';

/**
 * The codes of errors whose cause is in the environment of the program: cluster, network, credentials, permissions, ports or flags. The
 * messages of these errors are sufficient without a stack trace.
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

/** Whether the cause of an error is in the environment of the program, so that a stack trace would not help. */
export function isOfSurroundings(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isOfSurroundings);
  return error instanceof KubewrightError && SURROUNDINGS.has(error.code);
}
