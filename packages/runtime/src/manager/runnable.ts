/** Work of its own that lives as long as the manager. */
export interface Runnable {
  /** Settles soon after the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
  /** @default true */
  readonly leaderOnly?: boolean;
}
