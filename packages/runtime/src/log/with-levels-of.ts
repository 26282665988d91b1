import { GivenPinoLogger } from './given-pino-logger.js';
import type { LineFields } from './line-fields.js';
import type { Logger } from './logger.js';
import type { PinoInstance } from './pino-instance.js';

/** The levels of a pino instance for which `Logger` has no method: custom levels, `trace` and `fatal`. */
type OtherLevel<P> =
  | Exclude<P extends { readonly customLevels: infer Levels } ? Extract<keyof Levels, string> : never, keyof Logger>
  | Extract<keyof P, 'trace' | 'fatal'>;

/** A logger with a method for each level of the pino instance `P`. Each method takes the message first, and then the fields. */
export type LoggerOf<P> = Readonly<Record<OtherLevel<P>, (message: string, fields?: LineFields) => void>> & {
  /** Returns a logger that adds these fields to each line. */
  child(fields: LineFields): LoggerOf<P>;
  with(fields: LineFields): LoggerOf<P>;
} & Logger;

/**
 * Returns `log` with a method for each level of a pino instance. The lines contain the fields and trace ids of `log`, and secrets are
 * masked. If `log` does not write to a pino instance with these levels, for example in a test, returns a logger that writes to `instance`
 * without the fields of `log`.
 *
 * @example
 * const logger = pino({ customLevels: { audit: 35 } });
 * withLevelsOf(log, logger).audit('record removed', { name });
 */
export function withLevelsOf<P extends PinoInstance>(log: Logger, instance: P): LoggerOf<P> {
  const hasLevels =
    log instanceof GivenPinoLogger && Object.keys(instance.levels.values).every((level) => level in log);
  // The type of GivenPinoLogger does not contain the methods of the levels, because they are defined at run time.
  return (hasLevels ? log : GivenPinoLogger.of(instance)) as Logger as LoggerOf<P>;
}
