import { KubewrightError } from './kubewright-error.js';
import type { Status } from './status.js';

/** An error response of the API server. */
export class ApiError extends KubewrightError {
  /** The HTTP status code. */
  readonly status: number;
  /** The Kubernetes reason in one word, such as 'NotFound'. */
  readonly reason: string;
  /** The Status object of the response. */
  readonly body: Status;
  /**
   * Sets the message of the error to `attempted` followed by the message of the server. If the server sends no message, the reason or the
   * status code replaces the message.
   */
  constructor(body: Status, options: { readonly attempted?: string; readonly cause?: unknown } = {}) {
    const text = body.message ?? body.reason ?? `HTTP ${body.code}`;
    super('API_ERROR', options.attempted === undefined ? text : `${options.attempted}: ${text}`, options);
    this.status = body.code;
    this.reason = body.reason ?? '';
    this.body = body;
  }
}

export function isNotFound(error: unknown): error is ApiError {
  return hasReason(error, 'NotFound');
}
export function isAlreadyExists(error: unknown): error is ApiError {
  return hasReason(error, 'AlreadyExists');
}
export function isConflict(error: unknown): error is ApiError {
  return hasReason(error, 'Conflict');
}
export function isForbidden(error: unknown): error is ApiError {
  return hasReason(error, 'Forbidden');
}
export function isInvalid(error: unknown): error is ApiError {
  return hasReason(error, 'Invalid');
}
export function isTooManyRequests(error: unknown): error is ApiError {
  return hasReason(error, 'TooManyRequests');
}
/** Whether the server rejected a request (4xx) without executing it. After any other error, the server may have executed the request. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}
/** Whether the requested resourceVersion is no longer available (410 Gone or Expired). */
export function isExpired(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.reason === 'Expired' || error.reason === 'Gone');
}

function hasReason(error: unknown, reason: string): error is ApiError {
  return error instanceof ApiError && error.reason === reason;
}
