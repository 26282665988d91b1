import { KubewrightError } from '../errors/kubewright-error.js';

/** Reports text that is not valid JSON, or a value that JSON cannot represent. Code `INVALID_JSON`. */
export class InvalidJsonError extends KubewrightError {
  /** Offset in UTF-16 units of the first invalid character. Undefined if JSON cannot represent a value. */
  readonly position: number | undefined;
  constructor(message: string, options: { readonly position?: number; readonly cause?: unknown } = {}) {
    super('INVALID_JSON', message, options);
    this.position = options.position;
  }
}
