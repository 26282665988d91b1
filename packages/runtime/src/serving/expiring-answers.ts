import type { Clock } from '@kubewright/api/clock';

/** A result, and the time in milliseconds for which it is valid. */
export interface Answer<T> {
  readonly value: T;
  readonly validMs: number;
}

/** Caches a limited number of results until they expire. Concurrent requests with the same key share one pending result. */
export class ExpiringAnswers<T> {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #answers = new Map<string, { readonly answer: Promise<Answer<T>>; untilMs: number }>();

  constructor(clock: Clock, most = 1024) {
    this.#clock = clock;
    this.#most = most;
  }

  /** Returns the cached result for a key. If there is none, calls `find` and caches its result. Does not cache errors. */
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
