import type { AnswerStream } from '../handlers/answer.js';

/** Holds back each piece of a streamed answer until what it may tell of is durable. The connection breaks if it never will be. */
export class DurableStream implements AnswerStream {
  readonly #stream: AnswerStream;
  readonly #durable: () => Promise<void> | undefined;
  /** Ends when everything before has been sent. */
  #last: Promise<void> | undefined;

  constructor(stream: AnswerStream, durable: () => Promise<void> | undefined) {
    this.#stream = stream;
    this.#durable = durable;
  }

  write(text: string): void {
    this.#inTurn(() => this.#stream.write(text));
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

  #inTurn(step: () => void): void {
    const durable = this.#durable();
    if (durable === undefined && this.#last === undefined) return step();
    const turn = this.#after(this.#last, durable, step);
    this.#last = turn;
    void turn.then(() => {
      if (this.#last === turn) this.#last = undefined;
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
