import { GivenPinoLogger } from './given-pino-logger.js';
import type { AmbientFields } from './line-fields.js';
import { Logger } from './logger.js';
import { isPinoInstance, type PinoInstance } from './pino-instance.js';

/** A logger of the program: a `Logger`, or a pino instance. */
export type GivenLogger = Logger | PinoInstance;

/** Returns a given `Logger` unchanged. For a pino instance, returns a logger that writes to the instance. */
export function loggerOf(given: GivenLogger, ambient?: AmbientFields): Logger {
  if (given instanceof Logger || !isPinoInstance(given)) return given;
  return GivenPinoLogger.of(given, ambient);
}
