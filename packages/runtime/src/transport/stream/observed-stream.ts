import type { ByteStream } from '../request/request-options.js';

/** The end of a stream: the number of bytes that were read, and the error if there was one. */
export interface StreamEnd {
  readonly responseBytes: number;
  readonly error?: unknown;
}

/** A stream that calls `onEnd` once when the wrapped stream ends. */
export class ObservedStream implements ByteStream {
  readonly contentType: string;
  readonly #stream: ByteStream;
  readonly #onEnd: (end: StreamEnd) => void;
  #responseBytes = 0;
  #ended = false;

  constructor(stream: ByteStream, onEnd: (end: StreamEnd) => void) {
    this.#stream = stream;
    this.#onEnd = onEnd;
    this.contentType = stream.contentType;
  }

  close(): void {
    this.#stream.close();
    this.#end();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Buffer> {
    try {
      for await (const chunk of this.#stream) {
        this.#responseBytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      this.#end(error);
      throw error;
    } finally {
      this.#end();
    }
  }

  #end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnd({ responseBytes: this.#responseBytes, ...(error === undefined ? {} : { error }) });
  }
}
