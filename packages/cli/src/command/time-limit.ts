/**
 * A signal that is aborted when another signal is aborted, or after a time limit. Dispose of the time limit to stop its timer.
 *
 * `AbortSignal.any([signal, AbortSignal.timeout(ms)])` is not equivalent: Node.js 20 can collect the timeout as garbage, so that the signal
 * is never aborted.
 *
 * @example
 * using limit = new TimeLimit(signal, 30_000);
 * await fetchAll({ signal: limit.signal });
 */
export class TimeLimit implements Disposable {
  readonly #controller = new AbortController();
  readonly #given: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #abort = (): void => this.#controller.abort(this.#given.reason);

  /** @param ms the time limit in milliseconds */
  constructor(given: AbortSignal, ms: number) {
    this.#given = given;
    this.#timer = setTimeout(() => {
      this.#controller.abort(new DOMException('the time limit was exceeded', 'TimeoutError'));
    }, ms);
    if (given.aborted) this.#abort();
    else given.addEventListener('abort', this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#given.removeEventListener('abort', this.#abort);
  }
}
