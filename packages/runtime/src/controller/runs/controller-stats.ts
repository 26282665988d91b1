import type { QueueStats } from '../../queue/queue-stats.js';
import type { TriggerErrorCounts } from '../sources/trigger-errors.js';

/** The statistics of a controller since its start, returned by `stats`. */
export interface ControllerStats {
  /** The number of runs that succeeded and did not request another run. */
  readonly success: number;
  /** The number of runs that failed, except for conflicts. */
  readonly error: number;
  /** The number of runs that returned `Result.requeue()`. */
  readonly requeue: number;
  /** The number of runs that returned `Result.requeueAfter` or `Result.requeueAt`. */
  readonly requeueAfter: number;
  /**
   * The number of runs that failed because another writer changed the object, or because the name of a child was still in use by a child of
   * a deleted object that had the same name. These runs are repeated and are not included in `error`.
   */
  readonly conflict: number;
  /** The number of terminal errors, which are not retried. They are also included in `error`. */
  readonly terminal: number;
  /** The number of runs that exceeded their time limit. */
  readonly timeouts: number;
  /** The number of changes that were ignored because they were caused by a write of the controller. */
  readonly echoes: number;
  /** The number of detected hot loops. */
  readonly hotLoops: number;
  /** The number of objects that are currently paused. */
  readonly paused: number;
  /**
   * The number of completed runs that are counted as success, error, requeue, requeueAfter or conflict. `runMs` is the total duration of
   * these runs in milliseconds.
   */
  readonly runs: number;
  readonly runMs: number;
  /** The number of errors of predicates, mappers and sources, and of invalid values that they returned. */
  readonly triggerErrors: TriggerErrorCounts;
  readonly queue: QueueStats;
}
/** The mutable counters from which `ControllerStats` is created. */
export type Counters = {
  -readonly [K in Exclude<keyof ControllerStats, 'queue' | 'paused' | 'triggerErrors'>]: number;
};

export function newCounters(): Counters {
  return {
    success: 0,
    error: 0,
    requeue: 0,
    requeueAfter: 0,
    conflict: 0,
    terminal: 0,
    timeouts: 0,
    echoes: 0,
    hotLoops: 0,
    runs: 0,
    runMs: 0,
  };
}
