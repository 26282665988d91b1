/**
 * Structured logs. Values that look like secrets are masked.
 *
 * @example
 * log.with({ zone }).info('a record was made', { name, ttl });
 */
export abstract class Logger {
  /** For who looks for a mistake. */
  abstract debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** For who wants to know what happens. */
  abstract info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Something is not as it should be, and goes on. */
  abstract warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Something failed. An error goes into the field `error`. */
  abstract error(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** The same logger, with these fields in each line. */
  abstract with(fields: Readonly<Record<string, unknown>>): Logger;
}
