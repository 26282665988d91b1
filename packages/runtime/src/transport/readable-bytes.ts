import type { Readable } from 'node:stream';
import { destroyLater } from './destroy-later.js';
import type { ByteStream } from './request-options.js';

/** An answer whose body is still coming. */
export interface OpenedStream extends ByteStream {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The head of an answer, and the readable that Node gives its body by. */
export interface ReadableAnswer {
  readonly code: number;
  readonly headers: OpenedStream['headers'];
  readonly body: Readable;
  readonly signal: AbortSignal | undefined;
  /** Called once, when the body has ended or was closed. */
  readonly onEnd: () => void;
}

/** A body of Node's http or http2 as a ByteStream. It is read only as fast as it is iterated. */
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
    // Without a listener, a body that breaks while nobody iterates it would end the process.
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

  /** Ends at the end of the body and when closed on this side; throws the reason of the signal, or what cut the connection. */
  async *[Symbol.asyncIterator](): AsyncIterator<Buffer> {
    try {
      for await (const chunk of this.#answer.body.iterator({ destroyOnReturn: false })) {
        if (this.#closedHere) break;
        yield chunk as Buffer;
      }
    } catch (error) {
      this.#answer.signal?.throwIfAborted();
      if (!this.#closedHere) throw error;
    } finally {
      this.#close();
    }
    this.#answer.signal?.throwIfAborted();
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
