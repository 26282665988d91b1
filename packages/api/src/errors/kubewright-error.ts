/** Every error of Kubewright: `code` is stable and documented, `message` says what was attempted, on what, and what to do. */
export class KubewrightError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: { readonly cause?: unknown }) {
    // An own property that is undefined would be printed with every error.
    super(message, options?.cause === undefined ? undefined : options);
    this.code = code;
    this.name = new.target.name;
  }
}
