/**
 * A background task that the manager starts and stops, such as polling another system.
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
   * Runs the task. Must settle soon after the signal is aborted, and may settle earlier. If the promise rejects, the manager stops, except
   * if the error was caused by the abort.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Whether the task runs only on the leader. @default true */
  readonly leaderOnly?: boolean;
  /** The name of the task in logs and errors. @default the name of the class, or 'a runnable' for an object without a class */
  readonly name?: string;
  /**
   * Resolves when the task is ready. `manager.start` waits for this promise. If the promise rejects, the manager stops. @default ready as
   * soon as `run` is called
   */
  ready?(signal: AbortSignal): Promise<void>;
  /**
   * Prepares this replica for the leadership. Called on every replica, even without leader election, and without waiting for the election.
   * Neither `start` nor `run` waits for the warm-up. If the promise rejects, the manager stops.
   */
  warmUp?(signal: AbortSignal): Promise<void>;
}
