export { DeniedError } from './errors/denied-error.js';
export {
  ApiError,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isRefusal,
  isTooManyRequests,
} from './errors/api-error.js';
export { ignoreAlreadyExists, ignoreNotFound } from './errors/ignored-errors.js';
export { KubewrightError } from './errors/kubewright-error.js';
export { isAborted, isNotOwned, isStaleChild } from './errors/predicates.js';
export { messageOf } from './errors/message-of.js';
export type { Status, StatusCause, StatusDetails } from './errors/status.js';
export { TerminalError } from './errors/terminal-error.js';
export { valueText } from './errors/value-text.js';
