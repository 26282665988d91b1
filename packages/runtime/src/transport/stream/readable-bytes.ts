import { finished, type Readable } from 'node:stream';
import { destroyLater } from './destroy-later.js';
import type { ByteStream } from '../request/request-options.js';

/** A response whose body is read as a stream. */
export interface OpenedStream extends ByteStream {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The head of a response, and its body as a Node.js stream. */
export interface ReadableAnswer {
  readonly code: number;
  readonly headers: OpenedStream['headers'];
  readonly body: Readable;
  readonly signal: AbortSignal | undefined;
  /** Called once when the body ends or is closed. */
  readonly onEnd: () => void;
}

const END: IteratorReturnResult<undefined> = { value: undefined, done: true };
const noop = (): void => undefined;

/** Converts a body of the modules http or http2 of Node.js to a `ByteStream`. Reads only as fast as the consumer iterates. */
export class ReadableBytes implements OpenedStream {
  readonly code: number;
  readonly headers: OpenedStream['headers'];
  readonly #answer: ReadableAnswer;
  #ended = false;
  #closedHere = false;

  constructor(answer: ReadableAnswer) {
    this.code = answer.code;
    this.headers = answer.headers;
    this.#answer = answer;
    answer.body.once('close', this.#end);
    // Prevents an uncaught error if the body fails before the caller iterates over it.
    answer.body.on('error', this.#end);
    answer.signal?.addEventListener('abort', this.#close, { once: true });
    if (answer.signal?.aborted) this.#close();
  }

  get contentType(): string {
    return String(this.headers['content-type'] ?? '');
  }

  close(): void {
    this.#close();
  }

  /**
   * Returns the bytes of the body. The iteration ends at the end of the body or after `close`. Throws the reason of the signal if the
   * signal is aborted, and the error of the connection if the connection breaks. A call of `next` must not begin before the previous call
   * has ended.
   */
  [Symbol.asyncIterator](): AsyncIterator<Buffer> {
    const { body } = this.#answer;
    let ended: { readonly error: unknown } | undefined;
    let isOver = false;
    let wake = noop;
    body.on('readable', () => wake());
    finished(body, { writable: false }, (error) => {
      ended = { error };
      wake();
    });
    // An asynchronous generator over the iterator of the body would create about ten promises for each chunk.
    const next = (resolve: (result: IteratorResult<Buffer>) => void, reject: (error: unknown) => void): void => {
      if (isOver) return resolve(END);
      wake = () => {
        const chunk = this.#closedHere || body.destroyed ? null : (body.read() as Buffer | null);
        if (chunk === null && ended === undefined) return;
        wake = noop;
        isOver = chunk === null;
        if (chunk === null) this.#finish(ended?.error).then(resolve, reject);
        else resolve({ value: chunk, done: false });
      };
      wake();
    };
    return {
      next: () => new Promise(next),
      return: () => {
        isOver = true;
        this.#close();
        return Promise.resolve(END);
      },
    };
  }

  /** Ends the iteration. `error` is the error of the body, if any. */
  async #finish(error: unknown): Promise<IteratorResult<Buffer>> {
    const isClosed = this.#closedHere;
    this.#close();
    this.#answer.signal?.throwIfAborted();
    if (error === undefined || error === null || isClosed) return END;
    throw error;
  }

  readonly #close = (): void => {
    if (!this.#closedHere) destroyLater(this.#answer.body);
    this.#closedHere = true;
    this.#end();
  };

  readonly #end = (): void => {
    if (this.#ended) return;
    this.#ended = true;
    this.#answer.signal?.removeEventListener('abort', this.#close);
    this.#answer.onEnd();
  };
}
