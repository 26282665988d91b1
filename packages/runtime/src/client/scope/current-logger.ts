import { AsyncVariable } from '../../context/async-variable.js';
import type { Logger } from '../../log/logger.js';
import { currentScope } from './reconcile-scope.js';

const loggers = new AsyncVariable<Logger>();

/**
 * Returns the logger of the current reconcile or webhook call, so that functions that `reconcile` calls do not need this logger as a
 * parameter. The lines of the logger identify the controller or the webhook, and the object. Outside of a reconcile or webhook call,
 * returns `otherwise`.
 * ```ts
 * export async function resize(disk: Disk, logger: Logger) {
 *   currentLogger(logger).info('resizing', { disk });
 * }
 * ```
 */
export function currentLogger(otherwise: Logger): Logger {
  return currentScope()?.log ?? loggers.get() ?? otherwise;
}

/** Calls a function in which `currentLogger` returns the given logger. Use `withLogger` for work that is not part of a reconcile. */
export function withLogger<R>(logger: Logger, work: () => R): R {
  return loggers.run(logger, work);
}
