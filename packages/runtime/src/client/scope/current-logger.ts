import type { Logger } from '../../log/logger.js';
import { currentScope } from './reconcile-scope.js';

/**
 * Returns the logger of the current reconcile, so that functions that `reconcile` calls do not need this logger as a parameter. The lines
 * of the logger identify the controller, the object and the reconcile. Outside of a reconcile, returns `otherwise`.
 * ```ts
 * export async function resize(disk: Disk, logger: Logger) {
 *   currentLogger(logger).info('resizing', { disk });
 * }
 * ```
 */
export function currentLogger(otherwise: Logger): Logger {
  return currentScope()?.log ?? otherwise;
}
