import { GivenPinoLogger } from './given-pino-logger.js';
import type { AmbientFields } from './line-fields.js';
import { Logger } from './logger.js';
import { isPinoInstance, type PinoInstance } from './pino-instance.js';

/** A logger that a program passes to Kubewright. */
export type GivenLogger = Logger | PinoInstance;

/** Returns the given logger, or a logger that writes through the given pino instance. */
export function loggerOf(given: GivenLogger, ambient?: AmbientFields): Logger {
  if (given instanceof Logger || !isPinoInstance(given)) return given;
  return GivenPinoLogger.of(given, ambient);
}
