import type { AnswerStream } from '../handlers/answer.js';

/** The stream is full if at least this number of UTF-16 code units wait to be sent. */
const mostHeld = 64 * 1024;

/** Holds back each piece of a streamed answer until what it may tell of is durable. The connection breaks if it never will be. */
export class DurableStream implements AnswerStream {
  readonly #stream: AnswerStream;
  readonly #durable: () => Promise<void> | undefined;
  /** Ends when everything before has been sent. */
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
      // The journal has told of it already; the client comes back and hears what is left.
      this.#stream.cut();
    }
  }
}
