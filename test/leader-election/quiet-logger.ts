import { Logger } from '@kubewright/runtime';

/** A function that receives a warning or an error. */
export type Line = (message: string, fields: { readonly error?: unknown }) => void;

/** A logger that discards messages at the levels debug and info, and passes warnings and errors to a function. */
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

/** A logger for elections in tests. Discards all messages. `keeping` returns a logger that passes warnings and errors to a function. */
export const quietLogger = new QuietLogger(() => undefined);
