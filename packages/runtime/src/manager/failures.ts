import { isAborted, messageOf } from '@kubewright/api/errors';

/** Whether the error only says that the signal was aborted. */
export function isOfAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return isAborted(error);
  return error === signal.reason || isAborted(error) || (error instanceof Error && error.cause === signal.reason);
}

/** What went wrong in the life of a manager, first things first. */
export class Failures {
  readonly #errors: unknown[] = [];

  add(error: unknown): void {
    if (!this.#errors.includes(error)) this.#errors.push(error);
  }
  /** Nothing, the only error, or an AggregateError of all, whose message has theirs. */
  get combined(): { readonly error: unknown } | undefined {
    const [first, ...others] = this.#errors;
    if (this.#errors.length === 0) return undefined;
    if (others.length === 0) return { error: first };
    const messages = this.#errors.map(messageOf);
    return { error: new AggregateError(this.#errors, messages.join('; ')) };
  }
}
