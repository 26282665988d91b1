import { isAborted, messageOf } from '@kubewright/api/errors';

/** Whether the error is an abort error, or was caused by the abort of this signal. */
export function isOfAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return isAborted(error);
  return error === signal.reason || isAborted(error) || (error instanceof Error && error.cause === signal.reason);
}

/** Collects the errors of a manager in the order in which they occur. */
export class Failures {
  readonly #errors: unknown[] = [];

  add(error: unknown): void {
    if (!this.#errors.includes(error)) this.#errors.push(error);
  }
  /**
   * The error to report: the only error, or an AggregateError that joins the messages of several errors. Undefined if there is no error.
   */
  get combined(): { readonly error: unknown } | undefined {
    const [first, ...others] = this.#errors;
    if (this.#errors.length === 0) return undefined;
    if (others.length === 0) return { error: first };
    const messages = this.#errors.map(messageOf);
    return { error: new AggregateError(this.#errors, messages.join('; ')) };
  }
}
