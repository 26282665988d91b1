import type { Logger } from '../log/logger.js';
import { currentScope } from './reconcile-scope.js';

/**
 * The logger of the reconcile that is calling, however deep: its lines tell of the controller, the object and the run. Outside of a
 * reconcile, the other one.
 * ```ts
 * export async function resize(disk: Disk, logger: Logger) {
 *   currentLogger(logger).info('resizing', { disk });
 * ```
 */
export function currentLogger(otherwise: Logger): Logger {
  return currentScope()?.log ?? otherwise;
}
