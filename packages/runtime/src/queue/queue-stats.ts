/** The state of a queue. Times are in milliseconds of the queue's clock. */
export interface QueueStats {
  /** The number of ready keys that wait for a worker. */
  readonly depth: number;
  /** The number of ready keys per priority, without empty priorities, highest first. */
  readonly depthByPriority: ReadonlyMap<number, number>;
  /** The number of keys that wait for their due time. */
  readonly delayed: number;
  readonly processing: number;
  /** The number of adds that made a key ready. Excludes adds for a key that was already ready. */
  readonly adds: number;
  /** The number of adds with a delay. */
  readonly retries: number;
  /** The times from ready to taken. */
  readonly queueMs: Sum;
  /** The times from taken to done. */
  readonly workMs: Sum;
  /** The sum of the times for which the current keys have been processed. */
  readonly unfinishedWorkMs: number;
  readonly longestRunningMs: number;
}
/** The number of measurements, and their sum. */
export interface Sum {
  readonly count: number;
  readonly sum: number;
}
