import { ApiError } from '@kubewright/api/errors';

/** A request is sent at most this many times more. */
const MAX_RETRIES = 10;
/** A server may ask for a longer wait in vain. API servers ask for 32 s at most; more is of something before them, which may mean days. */
export const LONGEST_ASKED_MS = 60_000;
/** Before a read whose connection broke again. */
const BROKEN_AGAIN_SECONDS = 1;

const DEAD_CONNECTION = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** An attempt that did not succeed. */
export interface FailedAttempt {
  readonly method: string;
  /** The HTTP status; undefined when no answer came. */
  readonly code: number | undefined;
  /** Of the Retry-After header, where there is one. */
  readonly retryAfterSeconds?: number | undefined;
  /** What broke it, when no answer came. */
  readonly error?: unknown;
  /** How often the request was sent again before this attempt. */
  readonly retries: number;
}

/**
 * The seconds to wait before the same request is sent again; undefined when it is not to be.
 *
 * - Any method is sent again after a 429 or 5xx that names a time: the server says that it has not acted.
 * - A GET is sent again when its connection broke under it: at once for the first time, since an idle connection may have died
 *   unnoticed, then each second. A write may have been carried out, so it never is.
 * - Who sends it waits for that no longer than a minute, or than its timeout: a longer time is told at once, as the error that it is.
 * - Nothing is sent again that was refused a connection, nor after ten retries.
 */
export function retryDelaySeconds(attempt: FailedAttempt): number | undefined {
  const { method, code, retryAfterSeconds: seconds, error, retries } = attempt;
  if (retries >= MAX_RETRIES) return undefined;
  if (code !== undefined) return code === 429 || code >= 500 ? seconds : undefined;
  if (method !== 'GET' || !isBrokenConnection(error)) return undefined;
  return retries === 0 ? 0 : BROKEN_AGAIN_SECONDS;
}

/** The seconds of a Retry-After header; undefined for none, for a date and for anything else. */
export function retryAfterSeconds(header: string | readonly string[] | undefined): number | undefined {
  const text = typeof header === 'string' ? header : header?.[0];
  return text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined;
}

/** Whether a connection broke under a request. Whether the request was carried out is then unknown. */
function isBrokenConnection(error: unknown): boolean {
  return error instanceof Error && DEAD_CONNECTION.has(String((error as { code?: unknown }).code));
}

/** Whether nobody listens at the address. */
export function isConnectionRefused(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionRefused);
  if (!(error instanceof Error)) return false;
  return (error as { code?: unknown }).code === 'ECONNREFUSED' || isConnectionRefused(error.cause);
}

/** Whether another try may do better: there was no answer at all, there are too many requests, or the server is in trouble. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
}
