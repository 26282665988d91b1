import type { QueueStats } from '../queue/queue-stats.js';
import type { TriggerErrorCounts } from './triggers/trigger-errors.js';

/** What a controller has done since it was started. */
export interface ControllerStats {
  /** Runs by how they ended. */
  readonly success: number;
  readonly error: number;
  readonly requeue: number;
  readonly requeueAfter: number;
  readonly conflict: number;
  /** Errors that a retry cannot help; counted among the errors too. */
  readonly terminal: number;
  /** Runs whose time limit was over before they ended. */
  readonly timeouts: number;
  /** Changes that were swallowed because they were nothing but the echo of an own write. */
  readonly echoes: number;
  /** Objects that were found to be written again and again. */
  readonly hotLoops: number;
  /** Objects that are paused at present. */
  readonly paused: number;
  /** Runs that ended, and how long they took together. */
  readonly runs: number;
  readonly runMs: number;
  /** What failed on the way to a reconcile: predicates, mappers, sources and what they gave. */
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
