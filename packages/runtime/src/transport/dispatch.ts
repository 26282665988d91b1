import type { Dispatcher } from 'undici';

/** A whole answer. */
export interface Answer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends one request and gathers its answer. Rejects with what broke the connection, or with the reason of the signal. */
export function dispatch(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal?: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    dispatcher.dispatch(options, new AnswerHandler(resolve, reject, signal));
  });
}

class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #code = 0;
  #headers: Answer['headers'] = {};

  constructor(resolve: (answer: Answer) => void, reject: (reason: unknown) => void, signal: AbortSignal | undefined) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#signal?.reason;
    this.#reject(reason);
    this.#controller?.abort(reason instanceof Error ? reason : new Error('the request was aborted'));
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal?.aborted) this.#onAbort();
  }
  onResponseStart(_controller: Dispatcher.DispatchController, code: number, headers: Answer['headers']): void {
    this.#code = code;
    this.#headers = headers;
  }
  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }
  onResponseEnd(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    const body = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#resolve({ code: this.#code, headers: this.#headers, body });
  }
  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#reject(error);
  }
}
