import { ApiError, KubewrightError, type Status } from '@kubewright/api/errors';
import { isConnectionRefused } from '../../transport/sending/retry.js';

/** The category of a failed attempt, which determines the next step. */
export type Failure =
  /** The server no longer knows the requested version, or does not know it yet. */
  | 'expired'
  /** The server, or a component in front of the server, is overloaded: repeat the request later. */
  | 'busy'
  /** The connection broke or could not be opened. The request itself may be valid. */
  | 'connection'
  /** An error inside the server. */
  | 'internal'
  /** Any other error: forbidden, not found, not supported, not decodable. */
  | 'other';

/** Codes of errors without an answer, or with an incomplete answer. */
const LOST: ReadonlySet<string> = new Set(['REQUEST_FAILED', 'REQUEST_TIMEOUT']);
const TOO_LARGE = /too large resource version/i;

/** Returns the category of an error. Treats an HTTP status and an ERROR event of a watch in the same way. */
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
 * Whether the requested version is newer than the version of the server: the server was restored from a backup, or lags behind. Servers up
 * to 1.18 report this only in the message.
 */
function isTooLarge(status: Status): boolean {
  if (status.details?.causes?.some((cause) => cause.reason === 'ResourceVersionTooLarge')) return true;
  return (
    (status.reason === 'Timeout' || status.code === 504) &&
    TOO_LARGE.test(`${status.message ?? ''} ${status.details?.causes?.map((c) => c.message).join(' ') ?? ''}`)
  );
}
