/**
 * Work of its own that lives as long as the manager, such as a poll of another system.
 *
 * @example
 * manager.add({
 *   name: 'usage-report',
 *   leaderOnly: false,
 *   run: async (signal) => {
 *     while (!signal.aborted) await report(signal);
 *   },
 * });
 */
export interface Runnable {
  /**
   * Settles soon after the signal is aborted. It may end before; an error ends the manager, unless it only says that the signal was
   * aborted.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Whether it runs on the elected replica only. @default true */
  readonly leaderOnly?: boolean;
  /** How logs and errors call it. @default the name of the class, else 'runnable' */
  readonly name?: string;
  /** Resolves when others may count on it; `start` waits for that. A rejection ends the manager. @default as soon as it runs */
  ready?(signal: AbortSignal): Promise<void>;
  /** Prepares a standby replica while the lease is another's. Nobody waits for it; an error ends the manager. */
  warmUp?(signal: AbortSignal): Promise<void>;
}
