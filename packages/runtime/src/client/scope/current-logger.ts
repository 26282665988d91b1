import type { Logger } from '../../log/logger.js';
import { currentScope } from './reconcile-scope.js';

/**
 * Returns the logger of the current reconcile, without passing it through the calls. Its lines identify the controller, the object and the
 * reconcile. Outside of a reconcile, returns the given logger.
 * ```ts
 * export async function resize(disk: Disk, logger: Logger) {
 *   currentLogger(logger).info('resizing', { disk });
 * }
 * ```
 */
export function currentLogger(otherwise: Logger): Logger {
  return currentScope()?.log ?? otherwise;
}
