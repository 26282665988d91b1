import { Duplex } from 'node:stream';

/** Sends the data of a stream to the peer. */
export interface PeerWriter {
  /** Sends data, and calls `done` when more data can be sent. */
  send(data: Buffer, done: (error?: Error | null) => void): void;
  /** Sends the end of the data. */
  finish(done: (error?: Error | null) => void): void;
}

/** One of several streams of a connection: bytes from a peer and to the peer. */
export class PeerStream extends Duplex {
  readonly #writer: PeerWriter;
  #onRead: (() => void) | undefined;

  constructor(writer: PeerWriter) {
    super({ allowHalfOpen: true });
    this.#writer = writer;
    // A stream whose connection breaks has no other listener.
    this.on('error', () => undefined);
  }

  /** Delivers data from the peer, or the end of the data if `data` is null. Resolves when the stream can take more data, or is closed. */
  async receive(data: Buffer | null): Promise<void> {
    if (this.destroyed || this.readableEnded || this.push(data) || data === null) return;
    await new Promise<void>((resolve) => {
      this.#onRead = resolve;
      this.once('close', resolve);
    });
  }

  override _read(): void {
    this.#onRead?.();
    this.#onRead = undefined;
  }

  override _write(data: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#writer.send(data, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#writer.finish(done);
  }
}
