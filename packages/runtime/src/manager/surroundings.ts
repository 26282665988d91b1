import { KubewrightError } from '@kubewright/api/errors';

/** Codes of what is wrong around a program: cluster, network, credentials, rights, ports, flags. Their messages say all that there is to say. */
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

/** Whether the failure of a manager is one of what lies around its program, so that no place in the code tells more of it. */
export function isOfSurroundings(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isOfSurroundings);
  return error instanceof KubewrightError && SURROUNDINGS.has(error.code);
}
