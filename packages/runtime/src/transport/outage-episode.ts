/** Writes a log line, with fields in addition to its own. */
export type WriteLine = (fields: Readonly<Record<string, unknown>>) => void;

/**
 * The time from a request without an answer to the next answer. Errors of requests belong to the episode in which they fail. An episode is
 * unclear at first. Then it is either logged as an outage or settled as a short break of connections that was over at once.
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

  /** Whether the log says that it began. Lines about errors that follow from it are counted from then on, also after its end. */
  get isLogged(): boolean {
    return this.#state === 'logged';
  }

  /** Whether a request that was sent at this time was sent before the end. */
  includes(sentMs: number): boolean {
    return this.#endedMs === undefined || sentMs <= this.#endedMs;
  }

  countRequest(): void {
    this.#requests++;
  }

  /**
   * Takes a line about an error of this episode. Returns whether the line is not to be logged now: it is counted. The first line is held
   * while the episode is unclear.
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

  /** Notes that the log says that it began. */
  logged(): void {
    this.#state = 'logged';
    this.#held = undefined;
  }

  /** Notes that it is not logged. Writes the line that was held, with the number of the other lines. */
  settle(): void {
    this.#state = 'settled';
    this.#held?.(this.#lines > 1 ? { similarLinesNotLogged: this.#lines - 1 } : {});
    this.#held = undefined;
  }

  /** Its figures, for the log. */
  counts(nowMs: number): {
    readonly seconds: number;
    readonly failedRequests: number;
    readonly linesNotLogged: number;
  } {
    const seconds = Math.round((nowMs - this.beganMs) / 1000);
    return { seconds, failedRequests: this.#requests, linesNotLogged: this.#lines };
  }
}
