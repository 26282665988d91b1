import type { AbortListener, AbortSource } from '../../waiting/abort-source.js';

/**
 * Aborts one run and its requests. Creates an `AbortSignal` when `signal` is first read, because most runs end without a call that needs an
 * `AbortSignal`.
 */
export class RunSignal implements AbortSource {
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;
  #listeners: Set<AbortListener> | undefined;

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
  /** Aborts the signal, and calls the listeners. Only the first call has an effect. */
  abort(reason: unknown): void {
    if (this.#aborted !== undefined) return;
    this.#aborted = { reason };
    this.#controller?.abort(reason);
    for (const listener of this.#listeners ?? []) {
      if (typeof listener === 'function') listener();
      else listener.handleEvent();
    }
    this.#listeners = undefined;
  }
  throwIfAborted(): void {
    if (this.#aborted !== undefined) throw this.#aborted.reason;
  }
  /** Adds a listener of the first `abort`. A listener must not throw an error. */
  addEventListener(_type: 'abort', listener: AbortListener): void {
    if (this.#aborted === undefined) (this.#listeners ??= new Set()).add(listener);
  }
  removeEventListener(_type: 'abort', listener: AbortListener): void {
    this.#listeners?.delete(listener);
  }
}
