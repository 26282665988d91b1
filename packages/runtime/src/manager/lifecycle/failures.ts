import { isAborted, messageOf } from '@kubewright/api/errors';

/** Whether the error only reports that the signal was aborted. */
export function isOfAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return isAborted(error);
  return error === signal.reason || isAborted(error) || (error instanceof Error && error.cause === signal.reason);
}

/** The errors of a manager's lifecycle, in order of occurrence. */
export class Failures {
  readonly #errors: unknown[] = [];

  add(error: unknown): void {
    if (!this.#errors.includes(error)) this.#errors.push(error);
  }
  /** Undefined without errors, the only error, or an AggregateError of all errors with their joined messages. */
  get combined(): { readonly error: unknown } | undefined {
    const [first, ...others] = this.#errors;
    if (this.#errors.length === 0) return undefined;
    if (others.length === 0) return { error: first };
    const messages = this.#errors.map(messageOf);
    return { error: new AggregateError(this.#errors, messages.join('; ')) };
  }
}
