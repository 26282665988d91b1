import type { QueueStats } from '../../queue/queue-stats.js';
import type { TriggerErrorCounts } from '../sources/trigger-errors.js';

/** The statistics of a controller since its start. */
export interface ControllerStats {
  /** The number of runs by result. */
  readonly success: number;
  readonly error: number;
  readonly requeue: number;
  readonly requeueAfter: number;
  readonly conflict: number;
  /** Terminal errors, which are not retried. `error` includes them. */
  readonly terminal: number;
  /** Runs that exceeded their time limit. */
  readonly timeouts: number;
  /** Changes that were ignored because they only reflected a write of the controller. */
  readonly echoes: number;
  /** Hot loops that were found. */
  readonly hotLoops: number;
  /** Objects that are currently paused. */
  readonly paused: number;
  /** Completed runs, and their total duration. */
  readonly runs: number;
  readonly runMs: number;
  /** The errors of predicates, mappers and sources, and of their results. */
  readonly triggerErrors: TriggerErrorCounts;
  readonly queue: QueueStats;
}
/** The counters behind `ControllerStats`. */
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
