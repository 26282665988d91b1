/** An error for a text that is not valid YAML. The first line of the message states the reason. Further lines can show the position. */
export class InvalidYamlError extends Error {
  override readonly name = 'InvalidYamlError';
  /** The line of the error, from 1; undefined if the error has no line. */
  readonly line: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly line?: number | undefined } = {}) {
    super(message, options);
    this.line = options.line;
  }
}
