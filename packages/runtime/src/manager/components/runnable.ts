/**
 * A background task with the lifecycle of the manager, such as a poll of another system.
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
   * Runs the task. The promise must settle soon after the signal is aborted, and may settle earlier. An error stops the manager, unless the
   * error only reports that the signal was aborted.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Whether the runnable runs on the leader only. @default true */
  readonly leaderOnly?: boolean;
  /** The name in logs and errors. @default the name of the class, or 'a runnable' for an object without a class */
  readonly name?: string;
  /**
   * Resolves when the runnable is ready. `start` waits for the promise. A rejection stops the manager. @default ready as soon as `run` is
   * called
   */
  ready?(signal: AbortSignal): Promise<void>;
  /**
   * Prepares a standby replica while another replica is the leader. The manager does not wait for the warm-up. An error stops the manager.
   */
  warmUp?(signal: AbortSignal): Promise<void>;
}
