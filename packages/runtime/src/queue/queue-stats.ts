/** How a queue fares. Times are in milliseconds of the queue's clock. */
export interface QueueStats {
  /** Keys that are ready and wait for a worker. */
  readonly depth: number;
  /** The same for each priority of which there are some, the highest first. */
  readonly depthByPriority: ReadonlyMap<number, number>;
  /** Keys that wait for their time. */
  readonly delayed: number;
  readonly processing: number;
  /** Adds that made a key ready which was not; those that fell together with another are not counted. */
  readonly adds: number;
  /** Adds that had to wait for their time. */
  readonly retries: number;
  /** From becoming ready to being taken. */
  readonly queueMs: Sum;
  /** From being taken to being done. */
  readonly workMs: Sum;
  /** How long the keys that are being worked on have been so, together. */
  readonly unfinishedWorkMs: number;
  readonly longestRunningMs: number;
}
/** How many were measured, and their sum. */
export interface Sum {
  readonly count: number;
  readonly sum: number;
}
