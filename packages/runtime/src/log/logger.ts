/**
 * A structured logger. Values that look like secrets are masked.
 *
 * @example
 * log.with({ zone }).info('created a record', { name, ttl });
 */
export abstract class Logger {
  /** Logs details for debugging. */
  abstract debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs regular operation. */
  abstract info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs a problem that does not stop the operation. */
  abstract warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs a failure. The error belongs in the field `error`. */
  abstract error(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Returns a logger that adds these fields to each line. */
  abstract with(fields: Readonly<Record<string, unknown>>): Logger;
}
