import { KubewrightError } from './kubewright-error.js';
import type { Status } from './status.js';

/** An answer of the API server that is not a success. */
export class ApiError extends KubewrightError {
  /** The HTTP status code. */
  readonly status: number;
  /** Kubernetes' reason in one word, such as 'NotFound'. */
  readonly reason: string;
  /** The Status object of the answer. */
  readonly body: Status;
  /** The message is `attempted` followed by what the server said. */
  constructor(body: Status, options: { readonly attempted?: string; readonly cause?: unknown } = {}) {
    const said = body.message ?? body.reason ?? `HTTP ${body.code}`;
    super('API_ERROR', options.attempted === undefined ? said : `${options.attempted}: ${said}`, options);
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
/** Whether the server says what is wrong with a request (4xx), and has not carried it out. After any other error nobody knows. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}
/** Whether the resource version that was asked for is no longer kept (410 Gone or Expired). */
export function isExpired(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.reason === 'Expired' || error.reason === 'Gone');
}

function hasReason(error: unknown, reason: string): error is ApiError {
  return error instanceof ApiError && error.reason === reason;
}
