import type { Dispatcher } from 'undici';
import { type AbortSource, allowListeners } from '../../waiting/abort-source.js';
import type { WriteFence } from '../request/write-fence.js';

/** A complete response. */
export interface Answer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A single request, in the form in which it is sent. */
export interface SingleRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | null;
}

/** The signal and the fence that can prevent or abort a request. */
export interface DispatchGuards {
  readonly signal?: AbortSource | undefined;
  /** Called when a connection is available, immediately before the request is sent. */
  readonly fence?: WriteFence | undefined;
}

/**
 * Sends a request and returns its response. Rejects with the error of the connection, with the reason of the signal, or with the error of
 * the fence. If the fence throws, the request is not sent.
 */
export function dispatch(dispatcher: Dispatcher, options: SingleRequest, guards: DispatchGuards = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (guards.signal?.aborted) return reject(guards.signal.reason);
    dispatcher.dispatch(options, new AnswerHandler(resolve, reject, guards));
  });
}

/** Collects the response of one request. Also the listener of the signal, so that a request needs no closures. */
class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #signal: AbortSource | undefined;
  readonly #fence: WriteFence | undefined;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #code = 0;
  #headers: Answer['headers'] = {};

  constructor(resolve: (answer: Answer) => void, reject: (reason: unknown) => void, guards: DispatchGuards) {
    const { signal, fence } = guards;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    this.#fence = fence;
    if (signal === undefined) return;
    allowListeners(signal);
    signal.addEventListener('abort', this);
  }

  /** Called when the signal is aborted. */
  handleEvent(): void {
    this.#abort(this.#signal?.reason);
  }

  #abort(reason: unknown): void {
    this.#signal?.removeEventListener('abort', this);
    this.#reject(reason);
    this.#controller?.abort(reason instanceof Error ? reason : new Error('the request was aborted'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal?.aborted) return this.handleEvent();
    try {
      this.#fence?.();
    } catch (error) {
      this.#abort(error);
    }
  }
  onResponseStart(_controller: Dispatcher.DispatchController, code: number, headers: Answer['headers']): void {
    this.#code = code;
    this.#headers = headers;
  }
  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }
  onResponseEnd(): void {
    this.#signal?.removeEventListener('abort', this);
    const body = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#resolve({ code: this.#code, headers: this.#headers, body });
  }
  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#signal?.removeEventListener('abort', this);
    this.#reject(error);
  }
}
