/**
 * Writes structured log lines: a message with fields. Values that look like secrets are masked.
 *
 * @example
 * log.with({ zone }).info('created a record', { name, ttl });
 */
export abstract class Logger {
  /** Logs a detail that is useful for debugging. */
  abstract debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs a normal event. */
  abstract info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs a problem after which the operation continues. */
  abstract warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs a failed operation. Pass the error as the field `error`. */
  abstract error(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Returns a logger that adds these fields to each line. */
  abstract with(fields: Readonly<Record<string, unknown>>): Logger;
}
