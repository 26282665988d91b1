/** A text is no YAML; the message says what is wrong, in its first line, and may show where. */
export class InvalidYamlError extends Error {
  override readonly name = 'InvalidYamlError';
  /** The line of the mistake, from 1; undefined where it has none. */
  readonly line: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly line?: number | undefined } = {}) {
    super(message, options);
    this.line = options.line;
  }
}
