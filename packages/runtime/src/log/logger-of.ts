import { GivenPinoLogger } from './given-pino-logger.js';
import type { AmbientFields } from './line-fields.js';
import { Logger } from './logger.js';
import { isPinoInstance, type PinoInstance } from './pino-instance.js';

/** What a program gives as a logger. */
export type GivenLogger = Logger | PinoInstance;

/** Returns the logger for what a program gives: the logger itself, or one that writes through the pino instance. */
export function loggerOf(given: GivenLogger, ambient?: AmbientFields): Logger {
  if (given instanceof Logger || !isPinoInstance(given)) return given;
  return GivenPinoLogger.of(given, ambient);
}
