/** Requests that are answered by "later" are sent at most this many times more. */
export const MAX_RETRIES = 10;

const DEAD_CONNECTION = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** The seconds of a Retry-After header; undefined for none, for a date and for anything else. */
export function retryAfterSeconds(header: string | readonly string[] | undefined): number | undefined {
  const text = typeof header === 'string' ? header : header?.[0];
  return text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined;
}

/** Whether the server asks to send the same request again later: it answered 429 or 5xx without having acted, and says when. */
export function isRetryable(code: number, seconds: number | undefined): boolean {
  return seconds !== undefined && (code === 429 || code >= 500);
}

/** Whether a connection broke under a request. Whether the request was carried out is then unknown. */
export function isBrokenConnection(error: unknown): boolean {
  return error instanceof Error && DEAD_CONNECTION.has(String((error as { code?: unknown }).code));
}

/** Whether nobody listens at the address. */
export function isConnectionRefused(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionRefused);
  if (!(error instanceof Error)) return false;
  return (error as { code?: unknown }).code === 'ECONNREFUSED' || isConnectionRefused(error.cause);
}
