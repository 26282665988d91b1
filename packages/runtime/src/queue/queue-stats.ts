/** The state of a queue. Times are in milliseconds, by the clock of the queue. */
export interface QueueStats {
  /** The number of keys that are ready and wait for a worker. */
  readonly depth: number;
  /** The number of ready keys for each priority that has such keys, with the highest priority first. */
  readonly depthByPriority: ReadonlyMap<number, number>;
  /** The number of keys that are not due yet. */
  readonly delayed: number;
  readonly processing: number;
  /** The number of times a key became ready, immediately or after a delay. Excludes adds of keys that were already ready. */
  readonly adds: number;
  /** The number of adds with a delay. */
  readonly retries: number;
  /** The number of taken keys, and the total time between becoming ready and being taken. */
  readonly queueMs: Sum;
  /** The number of processed keys, and the total time between being taken and the call of `done`. */
  readonly workMs: Sum;
  /** The total processing time so far of the keys that are being processed. */
  readonly unfinishedWorkMs: number;
  readonly longestRunningMs: number;
}
/** The number of measured times, and their sum. */
export interface Sum {
  readonly count: number;
  readonly sum: number;
}
