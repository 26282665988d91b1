import { ApiError } from '@kubewright/api/errors';

/** The most retries of a request. */
const MAX_RETRIES = 10;
/**
 * The longest delay from a server that a request without a timeout honors. API servers request up to 32 s. Longer delays come from a proxy
 * in front of the server and may be days.
 */
export const LONGEST_REQUESTED_MS = 60_000;
/** The delay before a read is retried after its connection broke repeatedly. */
const BROKEN_AGAIN_SECONDS = 1;

const DEAD_CONNECTION = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** An attempt that did not succeed. */
export interface FailedAttempt {
  readonly method: string;
  /** The HTTP status; undefined if there was no answer. */
  readonly code: number | undefined;
  /** The value of the Retry-After header, if any. */
  readonly retryAfterSeconds?: number | undefined;
  /** The error of the connection, if there was no answer. */
  readonly error?: unknown;
  /** The number of retries before this attempt. */
  readonly retries: number;
}

/**
 * Returns the seconds to wait before the request is retried; undefined if the request is not retried.
 *
 * - Any method is retried after a 429 or 5xx with a Retry-After time, because the server has not acted.
 * - A GET is retried after its connection broke: immediately the first time, because an idle connection may have been closed unnoticed,
 * then every second. A write is not retried, because the server may have executed the write.
 * - The caller limits the delay to a minute or to the timeout of the request, and reports the error if the delay is longer.
 * - A refused connection is not retried. There are at most ten retries.
 */
export function retryDelaySeconds(attempt: FailedAttempt): number | undefined {
  const { method, code, retryAfterSeconds: seconds, error, retries } = attempt;
  if (retries >= MAX_RETRIES) return undefined;
  if (code !== undefined) return code === 429 || code >= 500 ? seconds : undefined;
  if (method !== 'GET' || !isBrokenConnection(error)) return undefined;
  return retries === 0 ? 0 : BROKEN_AGAIN_SECONDS;
}

/** Returns the seconds of a Retry-After header; undefined if the header is missing or contains a date or any other value. */
export function retryAfterSeconds(header: string | readonly string[] | undefined): number | undefined {
  const text = typeof header === 'string' ? header : header?.[0];
  return text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined;
}

/** Whether a connection broke during a request. The server may have executed the request. */
function isBrokenConnection(error: unknown): boolean {
  return error instanceof Error && DEAD_CONNECTION.has(String((error as { code?: unknown }).code));
}

/** Whether no process listens at the address. */
export function isConnectionRefused(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionRefused);
  if (!(error instanceof Error)) return false;
  return (error as { code?: unknown }).code === 'ECONNREFUSED' || isConnectionRefused(error.cause);
}

/** Whether a retry may succeed: there was no answer, too many requests, or a server error. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
}
