import { ApiError, KubewrightError, type Status } from '@kubewright/api/errors';
import { isConnectionRefused } from '../../transport/sending/retry.js';

/** The category of a failed request. Determines what the reflector does next. */
export type Failure =
  /** The server no longer has the requested version, or does not have it yet. */
  | 'expired'
  /** The server, or a component in front of the server, is overloaded. The request can be repeated later. */
  | 'busy'
  /** The connection broke or could not be opened. The request itself may be valid. */
  | 'connection'
  /** An internal error of the server. */
  | 'internal'
  /** Any other error, such as forbidden, not found, not supported or not decodable. */
  | 'other';

/** The codes of errors without a response, or with an incomplete response. */
const LOST: ReadonlySet<string> = new Set(['REQUEST_FAILED', 'REQUEST_TIMEOUT']);
const TOO_LARGE = /too large resource version/i;

/** Returns the category of an error. HTTP status codes and ERROR events of a watch are treated in the same way. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) {
    if (error.status === 410 || error.reason === 'Expired' || error.reason === 'Gone' || isTooLarge(error.body))
      return 'expired';
    if (error.status === 429 || error.reason === 'TooManyRequests') return 'busy';
    return error.status === 500 && error.reason === 'InternalError' ? 'internal' : 'other';
  }
  if (isConnectionRefused(error)) return 'connection';
  return error instanceof KubewrightError && LOST.has(error.code) ? 'connection' : 'other';
}

/**
 * Whether the requested version is newer than the version of the server, because the server was restored from a backup or is behind.
 * Servers up to Kubernetes 1.18 report this only in the message.
 */
function isTooLarge(status: Status): boolean {
  if (status.details?.causes?.some((cause) => cause.reason === 'ResourceVersionTooLarge')) return true;
  return (
    (status.reason === 'Timeout' || status.code === 504) &&
    TOO_LARGE.test(`${status.message ?? ''} ${status.details?.causes?.map((c) => c.message).join(' ') ?? ''}`)
  );
}
