/** The number of unread bytes from which a body is full. The server then waits until the client has read more. */
const fullFromBytes = 1024 * 1024;

/** The body of a response to a client in this process. The server appends chunks, and the client reads them one at a time. */
export class InProcessBody implements AsyncIterableIterator<Buffer> {
  readonly #chunks: Buffer[] = [];
  readonly #onDrain: (() => void)[] = [];
  #unreadBytes = 0;
  #isFull = false;
  /** The end of the body after the remaining chunks: regular, or with an error. */
  #end: { readonly error?: unknown } | undefined;
  /** The read that waits for the next chunk. */
  #reading: { resolve(result: IteratorResult<Buffer>): void; reject(error: unknown): void } | undefined;

  /** The number of bytes that the client has not read. */
  get unreadBytes(): number {
    return this.#unreadBytes;
  }
  /** Whether the client reads more slowly than the server writes. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Calls the listener each time the client reads from a full body and fewer than 1 MiB remain unread. */
  onDrain(listener: () => void): void {
    this.#onDrain.push(listener);
  }

  append(chunk: Buffer): void {
    if (this.#end !== undefined || chunk.length === 0) return;
    const reading = this.#reading;
    this.#reading = undefined;
    if (reading !== undefined) return reading.resolve({ done: false, value: chunk });
    this.#chunks.push(chunk);
    this.#unreadBytes += chunk.length;
    this.#isFull ||= this.#unreadBytes >= fullFromBytes;
  }

  /** Ends the body after the chunks that are not read yet. With an error, the read after the last chunk fails. */
  finish(end: { readonly error?: unknown } = {}): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    const reading = this.#reading;
    this.#reading = undefined;
    if ('error' in end) reading?.reject(end.error);
    else reading?.resolve({ done: true, value: undefined });
  }

  /** Ends the body with an error, and discards the chunks that are not read yet. */
  discard(error: unknown): void {
    this.#chunks.length = 0;
    this.#unreadBytes = 0;
    this.#isFull = false;
    this.#end = this.#end === undefined ? undefined : { error };
    this.finish({ error });
  }

  next(): Promise<IteratorResult<Buffer>> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#unreadBytes -= chunk.length;
      if (this.#isFull && this.#unreadBytes < fullFromBytes) this.#drained();
      return Promise.resolve({ done: false, value: chunk });
    }
    const end = this.#end;
    if (end === undefined) {
      return new Promise((resolve, reject) => {
        this.#reading = { resolve, reject };
      });
    }
    return 'error' in end ? Promise.reject(end.error) : Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #drained(): void {
    this.#isFull = false;
    // The server continues in its own microtask, not within the read of the client.
    for (const listener of this.#onDrain) queueMicrotask(listener);
  }
}
