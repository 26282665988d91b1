import type { AnswerStream } from '../handlers/answers/answer.js';

/**
 * The stream is full if pieces with at least this total length wait to be sent. The length is in bytes, or in UTF-16 code units for
 * strings.
 */
const mostHeld = 64 * 1024;

/**
 * Delays each piece of a streamed response until the writes that the piece can report are durable. Breaks the connection if the writes
 * cannot become durable.
 */
export class DurableStream implements AnswerStream {
  readonly #stream: AnswerStream;
  readonly #durable: () => Promise<void> | undefined;
  /** Resolves when all earlier pieces are sent. */
  #last: Promise<void> | undefined;
  #held = 0;
  readonly #onDrain: (() => void)[] = [];

  constructor(stream: AnswerStream, durable: () => Promise<void> | undefined) {
    this.#stream = stream;
    this.#durable = durable;
  }

  get isFull(): boolean {
    return this.#held >= mostHeld || this.#stream.isFull;
  }

  onDrain(listener: () => void): void {
    this.#stream.onDrain(listener);
    this.#onDrain.push(listener);
  }

  write(text: string | Uint8Array): void {
    this.#inTurn(() => this.#stream.write(text), text.length);
  }

  abort(): void {
    this.#stream.abort();
  }

  end(): void {
    this.#inTurn(() => this.#stream.end());
  }

  cut(): void {
    this.#inTurn(() => this.#stream.cut());
  }

  onClose(listener: () => void): void {
    this.#stream.onClose(listener);
  }

  #inTurn(step: () => void, length = 0): void {
    const durable = this.#durable();
    if (durable === undefined && this.#last === undefined) return step();
    const turn = this.#after(this.#last, durable, step);
    this.#last = turn;
    this.#held += length;
    void turn.then(() => {
      if (this.#last === turn) this.#last = undefined;
      const wasFull = this.#held >= mostHeld;
      this.#held -= length;
      if (wasFull && !this.isFull) for (const listener of this.#onDrain) listener();
    });
  }

  async #after(last: Promise<void> | undefined, durable: Promise<void> | undefined, step: () => void): Promise<void> {
    try {
      await Promise.all([last, durable]);
      step();
    } catch {
      // The journal has already reported the error. The client reconnects and reads the current state.
      this.#stream.cut();
    }
  }
}
