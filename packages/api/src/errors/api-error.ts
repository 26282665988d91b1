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

/** Whether the API server returned NotFound (404): the object, its namespace or its kind does not exist. */
export function isNotFound(error: unknown): error is ApiError {
  return hasReason(error, 'NotFound');
}
/** Whether the API server returned AlreadyExists (409): an object with this name already exists. */
export function isAlreadyExists(error: unknown): error is ApiError {
  return hasReason(error, 'AlreadyExists');
}
/** Whether the API server returned Conflict (409): the object has changed, or another field manager owns an applied field. */
export function isConflict(error: unknown): error is ApiError {
  return hasReason(error, 'Conflict');
}
/** Whether the API server returned Forbidden (403), for example because of a missing RBAC permission or an admission webhook. */
export function isForbidden(error: unknown): error is ApiError {
  return hasReason(error, 'Forbidden');
}
/** Whether the API server returned Invalid (422): the object violates the schema or a validation rule. */
export function isInvalid(error: unknown): error is ApiError {
  return hasReason(error, 'Invalid');
}
/** Whether the API server returned TooManyRequests (429): the client must send the request again later. */
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
