import { type Clock, SystemClock } from '@kubewright/api/clock';

/** The time in milliseconds after which the token is read again. Kubernetes clients use a token from a file for at most a minute. */
const REFRESH_AFTER_MS = 50_000;

/**
 * Provides a token that changes. `get` reads the token at the first call, and again if the last read was at least 50 s ago. Concurrent
 * callers share a read. If a read fails, `get` returns the last token.
 */
export class TokenSource {
  readonly #read: () => Promise<string | undefined>;
  readonly #clock: Clock;
  #known: { readonly token: string | undefined; readonly atMs: number } | undefined;
  #reading: Promise<string | undefined> | undefined;

  constructor(read: () => Promise<string | undefined>, clock: Clock = new SystemClock()) {
    this.#read = read;
    this.#clock = clock;
  }

  /** Returns the current token. Rejects only if the token cannot be read and no earlier read succeeded. */
  async get(): Promise<string | undefined> {
    const known = this.#known;
    if (known !== undefined && this.#clock.monotonicMs() - known.atMs < REFRESH_AFTER_MS) return known.token;
    this.#reading ??= this.#refresh();
    return this.#reading;
  }

  async #refresh(): Promise<string | undefined> {
    const last = this.#known;
    try {
      const token = (await this.#read())?.trim();
      this.#known = { token, atMs: this.#clock.monotonicMs() };
    } catch (error) {
      if (last === undefined) throw error;
      this.#known = { token: last.token, atMs: this.#clock.monotonicMs() };
    } finally {
      this.#reading = undefined;
    }
    return this.#known.token;
  }
}
