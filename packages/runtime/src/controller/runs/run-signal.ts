/**
 * The abort signal of one run. Creates the `AbortSignal` when it is first read, because most runs end without a request that needs the
 * signal.
 */
export class RunSignal {
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }
  get aborted(): boolean {
    return this.#aborted !== undefined;
  }
  /** The reason of the first `abort`. Undefined if the signal is not aborted. */
  get reason(): unknown {
    return this.#aborted?.reason;
  }
  /** Aborts the signal. Only the first call has an effect. */
  abort(reason: unknown): void {
    if (this.#aborted !== undefined) return;
    this.#aborted = { reason };
    this.#controller?.abort(reason);
  }
  throwIfAborted(): void {
    if (this.#aborted !== undefined) throw this.#aborted.reason;
  }
}
