import type { Cause } from './cause.js';
import type { Waiting } from './delay-heap.js';
import type { Lane, Lined } from './ready-lanes.js';

const NO_CAUSES: readonly Cause[] = Object.freeze([]);

/** A rate-limited add that is not due yet. */
export interface PendingRetry {
  /** When the retry is due, on the monotonic clock, in milliseconds. */
  readonly dueMs: number;
  readonly cause: Cause | undefined;
}

/**
 * The state of a key, with the combined adds since the key was last taken. A requested key is in the heap until it is ready. Then it is in
 * a lane, except if the key is being processed.
 */
export class KeyState<K> implements Waiting, Lined<KeyState<K>> {
  readonly key: K;
  /** Whether the state is only kept for the next add of the key. */
  isIdle = false;
  processing = false;
  takenAtMs = 0;
  failures = 0;
  /** Whether the key was added since it was last taken. If not, the following fields have their initial values. */
  isRequested = false;
  isReady = false;
  readyAtMs = 0;
  dueMs = Number.POSITIVE_INFINITY;
  sequence = 0;
  position = -1;
  priority = 0;
  lane: Lane<KeyState<K>> | undefined = undefined;
  number = 0;
  causes = NO_CAUSES;
  /** The cause to report if no other add makes the key ready before its due time. */
  timer: Cause | undefined = undefined;
  /** The last rate-limited add that is not due yet. */
  retry: PendingRetry | undefined = undefined;

  constructor(key: K) {
    this.key = key;
  }

  /** Resets the fields of the adds, because the key was taken or its adds were dropped. */
  clear(): void {
    this.isRequested = false;
    this.isReady = false;
    this.dueMs = Number.POSITIVE_INFINITY;
    this.causes = NO_CAUSES;
    this.timer = undefined;
    this.retry = undefined;
  }
}
