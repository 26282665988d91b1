import { KubewrightError } from '../errors/kubewright-error.js';

/** Text that is no JSON, or a value that JSON cannot say. Code `INVALID_JSON`. */
export class InvalidJsonError extends KubewrightError {
  /** Offset in UTF-16 units of the first character that cannot stand where it does; undefined for a value. */
  readonly position: number | undefined;
  constructor(message: string, options: { readonly position?: number; readonly cause?: unknown } = {}) {
    super('INVALID_JSON', message, options);
    this.position = options.position;
  }
}
