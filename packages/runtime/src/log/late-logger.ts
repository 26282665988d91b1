import { Logger } from './logger.js';

type Fields = Readonly<Record<string, unknown>>;
type Level = 'debug' | 'info' | 'warn' | 'error';

/** The maximum number of stored lines. Further lines are dropped and counted. */
const MOST_EARLY = 1000;

/**
 * A logger that stores lines until its destination is set, for components that are created before the logger is ready. Loggers that `with`
 * returns also store their lines.
 */
export class LateLogger extends Logger {
  readonly #early: { readonly level: Level; readonly message: string; readonly fields: Fields | undefined }[] = [];
  #dropped = 0;
  #logger: Logger | undefined;

  /** Sets the destination. Writes the stored lines and all later lines to `logger`. Only the first call has an effect. */
  to(logger: Logger): void {
    if (this.#logger !== undefined) return;
    this.#logger = logger;
    for (const { level, message, fields } of this.#early.splice(0)) logger[level](message, fields);
    if (this.#dropped > 0)
      logger.warn('dropped lines that were logged before the logger was ready', { lines: this.#dropped });
  }
  override debug(message: string, fields?: Fields): void {
    this.#log('debug', message, fields);
  }
  override info(message: string, fields?: Fields): void {
    this.#log('info', message, fields);
  }
  override warn(message: string, fields?: Fields): void {
    this.#log('warn', message, fields);
  }
  override error(message: string, fields?: Fields): void {
    this.#log('error', message, fields);
  }
  override with(fields: Fields): Logger {
    return this.#logger?.with(fields) ?? new LateChild(this, fields);
  }
  #log(level: Level, message: string, fields: Fields | undefined): void {
    if (this.#logger !== undefined) this.#logger[level](message, fields);
    else if (this.#early.length < MOST_EARLY) this.#early.push({ level, message, fields });
    else this.#dropped++;
  }
}

/** A logger with fields that writes to a `LateLogger`. */
class LateChild extends Logger {
  readonly #parent: LateLogger;
  readonly #fields: Fields;
  constructor(parent: LateLogger, fields: Fields) {
    super();
    this.#parent = parent;
    this.#fields = fields;
  }
  override debug(message: string, fields?: Fields): void {
    this.#parent.debug(message, { ...this.#fields, ...fields });
  }
  override info(message: string, fields?: Fields): void {
    this.#parent.info(message, { ...this.#fields, ...fields });
  }
  override warn(message: string, fields?: Fields): void {
    this.#parent.warn(message, { ...this.#fields, ...fields });
  }
  override error(message: string, fields?: Fields): void {
    this.#parent.error(message, { ...this.#fields, ...fields });
  }
  override with(fields: Fields): Logger {
    return new LateChild(this.#parent, { ...this.#fields, ...fields });
  }
}
