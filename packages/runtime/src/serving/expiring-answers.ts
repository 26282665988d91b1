import type { Clock } from '@kubewright/api/clock';

/** An answer with its validity period in milliseconds. */
export interface Answer<T> {
  readonly value: T;
  readonly validMs: number;
}

/** Caches a limited number of answers until they expire. Concurrent requests for one key share one pending answer. */
export class ExpiringAnswers<T> {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #answers = new Map<string, { readonly answer: Promise<Answer<T>>; untilMs: number }>();

  constructor(clock: Clock, most = 1024) {
    this.#clock = clock;
    this.#most = most;
  }

  /** Returns the cached answer, or finds a new answer. Does not cache failures. */
  async get(key: string, find: () => Promise<Answer<T>>): Promise<T> {
    const known = this.#answers.get(key);
    if (known !== undefined && this.#clock.monotonicMs() < known.untilMs) return (await known.answer).value;
    const entry = { answer: find(), untilMs: Number.POSITIVE_INFINITY };
    this.#answers.delete(key);
    this.#answers.set(key, entry);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > this.#most && oldest !== undefined) this.#answers.delete(oldest);
    try {
      const { value, validMs } = await entry.answer;
      entry.untilMs = this.#clock.monotonicMs() + validMs;
      return value;
    } catch (error) {
      if (this.#answers.get(key) === entry) this.#answers.delete(key);
      throw error;
    }
  }
}
