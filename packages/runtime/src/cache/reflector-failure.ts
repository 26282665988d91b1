import { ApiError, KubewrightError, type Status } from '@kubewright/api/errors';
import { isConnectionRefused } from '../transport/retry.js';

/** What a failed attempt says about what to do next. */
export type Failure =
  /** The version that was asked for is no longer, or not yet, known to the server. */
  | 'expired'
  /** The server, or the way to it, is overloaded: the same again, later. */
  | 'busy'
  /** The connection broke or could not be made: nothing is known to be wrong with what was asked. */
  | 'connection'
  /** An error inside the server. */
  | 'internal'
  /** Anything else: forbidden, not found, not understood, undecodable. */
  | 'other';

/** No answer came, or not the whole of it. */
const LOST: ReadonlySet<string> = new Set(['REQUEST_FAILED', 'REQUEST_TIMEOUT']);
const TOO_LARGE = /too large resource version/i;

/** Sorts what an attempt failed with. The same for an HTTP status and for an ERROR event of a watch. */
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

/** A version from the future: the server was restored from a backup, or lags behind. Servers up to 1.18 say so in words only. */
function isTooLarge(status: Status): boolean {
  if (status.details?.causes?.some((cause) => cause.reason === 'ResourceVersionTooLarge')) return true;
  return (
    (status.reason === 'Timeout' || status.code === 504) &&
    TOO_LARGE.test(`${status.message ?? ''} ${status.details?.causes?.map((c) => c.message).join(' ') ?? ''}`)
  );
}
