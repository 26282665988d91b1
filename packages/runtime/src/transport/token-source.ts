import { type Clock, SystemClock } from '@kubewright/api/clock';

/** Tokens in files are good for a minute; they are read again a little before. */
const REFRESH_AFTER_MS = 50_000;

/**
 * A token that changes: asked for at first use, then again each 50 seconds, once for all who wait. When that fails, the last good
 * one stays.
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

  /** The token as it is now. Rejects only while there has never been one. */
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
