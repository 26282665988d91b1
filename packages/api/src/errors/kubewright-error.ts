/**
 * The base class of all Kubewright errors. `code` is stable and documented. `message` contains the attempted operation, the object and the
 * fix.
 */
export class KubewrightError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: { readonly cause?: unknown }) {
    // Node.js prints an own property `cause` with every error, even if the property is undefined.
    super(message, options?.cause === undefined ? undefined : options);
    this.code = code;
    this.name = new.target.name;
  }
}
