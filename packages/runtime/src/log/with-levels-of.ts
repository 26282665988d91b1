import { GivenPinoLogger } from './given-pino-logger.js';
import type { LineFields } from './line-fields.js';
import type { Logger } from './logger.js';
import type { PinoInstance } from './pino-instance.js';

/** The levels of a pino instance that `Logger` does not have: custom levels, `trace` and `fatal`. */
type OtherLevel<P> =
  | Exclude<P extends { readonly customLevels: infer Levels } ? Extract<keyof Levels, string> : never, keyof Logger>
  | Extract<keyof P, 'trace' | 'fatal'>;

/** A logger that also has the levels of the pino instance `P`. All methods take the message first, then the fields. */
export type LoggerOf<P> = Readonly<Record<OtherLevel<P>, (message: string, fields?: LineFields) => void>> & {
  /** Returns a logger with these fields in each line. */
  child(fields: LineFields): LoggerOf<P>;
  with(fields: LineFields): LoggerOf<P>;
} & Logger;

/**
 * Returns `log` with the levels of a pino instance in its type. The lines keep the fields and trace IDs of `log`, and secrets are masked.
 * If `log` does not write through an instance with these levels, as in a test without the instance, the returned logger writes to
 * `instance` without the fields of `log`.
 *
 * @example
 * const logger = pino({ customLevels: { audit: 35 } });
 * withLevelsOf(log, logger).audit('record removed', { name });
 */
export function withLevelsOf<P extends PinoInstance>(log: Logger, instance: P): LoggerOf<P> {
  const hasLevels =
    log instanceof GivenPinoLogger && Object.keys(instance.levels.values).every((level) => level in log);
  // GivenPinoLogger defines the methods of the levels when the program runs, so its type does not have them.
  return (hasLevels ? log : GivenPinoLogger.of(instance)) as Logger as LoggerOf<P>;
}
