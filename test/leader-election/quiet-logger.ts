import { Logger } from '@kubewright/runtime';

/** A log line. */
export type Line = (message: string, fields: { readonly error?: unknown }) => void;

/** Discards log messages, or passes on warnings and errors. */
class QuietLogger extends Logger {
  readonly #line: Line;

  constructor(line: Line) {
    super();
    this.#line = line;
  }

  keeping(line: Line): QuietLogger {
    return new QuietLogger(line);
  }
  override debug(): void {
    // Discarded.
  }
  override info(): void {
    // Discarded.
  }
  override warn(message: string, fields: { readonly error?: unknown } = {}): void {
    this.#line(message, fields);
  }
  override error(message: string, fields: { readonly error?: unknown } = {}): void {
    this.#line(message, fields);
  }
  override with(): Logger {
    return this;
  }
}

/** A logger for elections in tests. */
export const quietLogger = new QuietLogger(() => undefined);
