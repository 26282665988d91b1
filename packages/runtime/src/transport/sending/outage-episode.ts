/** Writes a log line, with fields in addition to its own. */
export type WriteLine = (fields: Readonly<Record<string, unknown>>) => void;

/**
 * The time from a request without an answer to the next answer. Errors of requests belong to the episode in which they fail. An episode is
 * unclear at first. It is then either logged as an outage or settled as a short interruption.
 */
export class OutageEpisode {
  readonly beganMs: number;
  #state: 'unclear' | 'logged' | 'settled' = 'unclear';
  #endedMs: number | undefined;
  #requests = 0;
  #lines = 0;
  #held: WriteLine | undefined;

  constructor(beganMs: number) {
    this.beganMs = beganMs;
  }

  /** Whether the beginning of the episode is logged. From then on, the episode counts lines about its errors, also after its end. */
  get isLogged(): boolean {
    return this.#state === 'logged';
  }

  /** Whether a request that was sent at this time was sent before the end of the episode. */
  includes(sentMs: number): boolean {
    return this.#endedMs === undefined || sentMs <= this.#endedMs;
  }

  countRequest(): void {
    this.#requests++;
  }

  /**
   * Processes a line about an error of this episode. Returns true if the caller must not log the line: the episode counts the line, and
   * keeps the first line while the episode is unclear.
   */
  take(write: WriteLine): boolean {
    if (this.#state === 'settled') return false;
    this.#lines++;
    if (this.#state === 'unclear') this.#held ??= write;
    return true;
  }

  end(nowMs: number): void {
    this.#endedMs = nowMs;
  }

  /** Records that the beginning of the episode was logged. */
  logged(): void {
    this.#state = 'logged';
    this.#held = undefined;
  }

  /** Records that the episode is not an outage. Writes the held line, with the number of the later lines. */
  settle(): void {
    this.#state = 'settled';
    this.#held?.(this.#lines > 1 ? { similarLinesNotLogged: this.#lines - 1 } : {});
    this.#held = undefined;
  }

  /** Returns the figures of the episode, for the log. */
  counts(nowMs: number): {
    readonly seconds: number;
    readonly failedRequests: number;
    readonly linesNotLogged: number;
  } {
    const seconds = Math.round((nowMs - this.beganMs) / 1000);
    return { seconds, failedRequests: this.#requests, linesNotLogged: this.#lines };
  }
}
