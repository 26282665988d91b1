import { Logger } from '@kubewright/runtime';

/** What a logger is told. */
export type Line = (message: string, fields: { readonly error?: unknown }) => void;

/** Says nothing, or hands on what is a warning or worse. */
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
    // Nobody looks.
  }
  override info(): void {
    // Nobody looks.
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

/** A logger for elections of tests. */
export const quietLogger = new QuietLogger(() => undefined);
