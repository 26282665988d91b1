import { Logger } from '../log/logger.js';

/** A log line. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A logger for tests that records its lines. */
export class RecordingLogger extends Logger {
  readonly lines: LogLine[];
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(lines: LogLine[] = [], fields: Readonly<Record<string, unknown>> = {}) {
    super();
    this.lines = lines;
    this.#fields = fields;
  }

  override debug(message: string, fields = {}): void {
    this.#add('debug', message, fields);
  }
  override info(message: string, fields = {}): void {
    this.#add('info', message, fields);
  }
  override warn(message: string, fields = {}): void {
    this.#add('warn', message, fields);
  }
  override error(message: string, fields = {}): void {
    this.#add('error', message, fields);
  }
  override with(fields: Readonly<Record<string, unknown>>): Logger {
    return new RecordingLogger(this.lines, { ...this.#fields, ...fields });
  }

  #add(level: LogLine['level'], message: string, fields: Readonly<Record<string, unknown>>): void {
    this.lines.push({ level, message, fields: { ...this.#fields, ...fields } });
  }
}
