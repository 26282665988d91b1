import { ApiError } from '@kubewright/api/errors';

/** The maximum number of retries of a request. */
const MAX_RETRIES = 10;
/**
 * The maximum delay that a server can request if the request has no timeout, in milliseconds. API servers request up to 32 s. A longer
 * delay is from a proxy in front of the server, and could be days.
 */
export const LONGEST_REQUESTED_MS = 60_000;
/** The delay in seconds before a read is retried after its connection broke more than once. */
const BROKEN_AGAIN_SECONDS = 1;

const DEAD_CONNECTION = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** A failed attempt of a request. */
export interface FailedAttempt {
  readonly method: string;
  /** The HTTP status code. Undefined if there was no response. */
  readonly code: number | undefined;
  /** The value of the Retry-After header in seconds. Undefined if there is none. */
  readonly retryAfterSeconds?: number | undefined;
  /** The error of the connection. Undefined if there was a response. */
  readonly error?: unknown;
  /** The number of retries before this attempt. */
  readonly retries: number;
}

/**
 * Returns the delay in seconds before a request is retried. Returns undefined if the request is not retried.
 *
 * - After a 429 or 5xx with a Retry-After time, any request is retried, because the server has not executed it.
 * - A GET is retried after its connection broke. The first retry is immediate, because the server may have closed an idle connection.
 *   Further retries follow every second. A write is not retried, because the server may have executed it.
 * - The timeout of the request does not affect the result. `RequestDeadline.allowsRequested` limits the delay.
 * - After a refused connection, or after ten retries, the request is not retried.
 */
export function retryDelaySeconds(attempt: FailedAttempt): number | undefined {
  const { method, code, retryAfterSeconds: seconds, error, retries } = attempt;
  if (retries >= MAX_RETRIES) return undefined;
  if (code !== undefined) return code === 429 || code >= 500 ? seconds : undefined;
  if (method !== 'GET' || !isBrokenConnection(error)) return undefined;
  return retries === 0 ? 0 : BROKEN_AGAIN_SECONDS;
}

/**
 * Returns the number of seconds in a Retry-After header. Returns undefined if the header is missing or has another form, such as a date.
 */
export function retryAfterSeconds(header: string | readonly string[] | undefined): number | undefined {
  const text = typeof header === 'string' ? header : header?.[0];
  return text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined;
}

/** Whether a connection broke during a request. The server may have executed the request. */
function isBrokenConnection(error: unknown): boolean {
  return error instanceof Error && DEAD_CONNECTION.has(String((error as { code?: unknown }).code));
}

/** Whether a connection failed because no process listens at the address. */
export function isConnectionRefused(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionRefused);
  if (!(error instanceof Error)) return false;
  return (error as { code?: unknown }).code === 'ECONNREFUSED' || isConnectionRefused(error.cause);
}

/** Whether a retry may succeed: the error is an ApiError with status 429 or 5xx, or is not an ApiError, such as a missing response. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
}
