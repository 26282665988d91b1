/** Writes a prepared log line, with additional fields. */
export type WriteLine = (fields: Readonly<Record<string, unknown>>) => void;

/**
 * The time from a request without a response to the next response of the server. The episode includes all request errors in this time. At
 * first, it is not clear whether the episode is an outage. Later, the episode is either logged as an outage, or settled as a short
 * interruption.
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

  /**
   * Whether the start of the episode was logged as an outage. From then on, log lines about errors of the episode are counted instead of
   * written, even after the end of the episode.
   */
  get isLogged(): boolean {
    return this.#state === 'logged';
  }

  /** Whether the episode includes a request that was sent at this time: the episode has not ended, or ended later. */
  includes(sentMs: number): boolean {
    return this.#endedMs === undefined || sentMs <= this.#endedMs;
  }

  countRequest(): void {
    this.#requests++;
  }

  /**
   * Decides what happens to a log line about an error of this episode. Returns true if the caller must not log the line: the episode counts
   * the line instead. While it is not clear whether the episode is an outage, also stores the first line.
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

  /** Records that the start of the episode was logged as an outage. */
  logged(): void {
    this.#state = 'logged';
    this.#held = undefined;
  }

  /** Records that the episode is not an outage. Writes the stored line, with the number of similar lines that were not logged. */
  settle(): void {
    this.#state = 'settled';
    this.#held?.(this.#lines > 1 ? { similarLinesNotLogged: this.#lines - 1 } : {});
    this.#held = undefined;
  }

  /** Returns the duration and the counts of the episode for the log. */
  counts(nowMs: number): {
    readonly seconds: number;
    readonly failedRequests: number;
    readonly linesNotLogged: number;
  } {
    const seconds = Math.round((nowMs - this.beganMs) / 1000);
    return { seconds, failedRequests: this.#requests, linesNotLogged: this.#lines };
  }
}
