import { type Clock, type Duration, durationMs, SystemClock, type Timer } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { QueueMetrics } from '../metrics/queue-metrics.js';
import { TokenBucket } from '../waiting/token-bucket.js';
import type { Cause } from './cause.js';
import { isTimerCause, withCause } from './causes.js';
import { DelayHeap } from './delay-heap.js';
import { checkedDelayMs, DEFAULT_DELAY_RULE, type DelayRule } from './delay-rule.js';
import { KeyState, type PendingRetry } from './key-state.js';
import type { QueueStats } from './queue-stats.js';
import { ReadyLanes } from './ready-lanes.js';
import { RENAMED_QUEUE_OPTIONS, renamedOptionProblem } from './renamed-options.js';
import { Ring } from './ring.js';

const NO_OPTIONS: QueueAddOptions = {};
/** The maximum number of states that are kept for keys that are not in the queue, because reusing a state is faster than creating one. */
const MOST_IDLE = 1024;

/** The options of `new WorkQueue`. */
export interface WorkQueueOptions {
  /** The clock of the queue. @default the system clock; a delayed key keeps the process running */
  readonly clock?: Clock;
  /** The delay of a rate-limited add, depending on the failures of the key. @default from 5 ms to 1000 s, doubling */
  readonly delayRule?: DelayRule;
  /** The rate limit of rate-limited adds, for all keys together. Adds above the limit are delayed. @default no limit */
  readonly retryLimit?: { readonly perSecond: number; readonly burst: number } | undefined;
  /**
   * The waiting time after which a key can be returned before keys with a higher priority. A number is in milliseconds. See the option
   * `starvationLimit` of controllers. @default never
   */
  readonly starvationLimit?: Duration | number | undefined;
}
/** The options of `WorkQueue.add`. */
export interface QueueAddOptions {
  /** The delay until the key is ready. A number is in milliseconds. @default 0 */
  readonly after?: Duration | number;
  /**
   * Whether the add counts as a failure of the key and is delayed by the delay rule and the retry limit. If `after` is also set, the
   * shorter delay applies.
   * @default false
   */
  readonly rateLimited?: boolean;
  /** The priority of the key. Keys with higher numbers are returned first. @default 0 */
  readonly priority?: number;
  /** Why the key is added. The queue returns the causes with the key. @default none */
  readonly cause?: Cause;
}
/** A key that was taken from a queue. */
export interface QueueItem<K> {
  readonly key: K;
  /** The causes of the adds since the key was last taken. */
  readonly causes: readonly Cause[];
  /** The number of the attempt: 1 plus the number of failures since the key was last forgotten. */
  readonly attempt: number;
  readonly priority: number;
  /**
   * The retry for which the key is still waiting. Undefined if there is none. Set if another add made the key ready before the retry was
   * due.
   */
  readonly retry?: PendingRetry;
}
/**
 * A queue of keys with delays, rate limits and priorities. A key is never returned again before its processing is done. Several adds of a
 * waiting key are combined, with the highest priority and the earliest time. If a key is added while it is being processed, the key is
 * returned once more after that. Keys with a higher priority are returned first. Keys with the same priority are returned in the order in
 * which they became ready or reached this priority.
 *
 * Each controller has its own queue. Programs without a controller can create a queue directly.
 *
 * @example
 * const queue = new WorkQueue<string>();
 * queue.add('default/web');
 * for (let item = await queue.get(); item !== undefined; item = await queue.get()) {
 *   try {
 *     await work(item.key);
 *     queue.forget(item.key);
 *   } catch {
 *     queue.add(item.key, { rateLimited: true });
 *   } finally {
 *     queue.done(item.key);
 *   }
 * }
 */
export class WorkQueue<K> {
  readonly #clock: Clock;
  readonly #delayRule: DelayRule;
  readonly #retryLimit: TokenBucket | undefined;
  readonly #metrics: QueueMetrics | undefined;
  readonly #states = new Map<K, KeyState<K>>();
  readonly #heap = new DelayHeap<KeyState<K>>();
  readonly #lanes: ReadyLanes<KeyState<K>>;
  readonly #getters = new Ring<(item: QueueItem<K> | undefined) => void>();
  #drained: (() => void)[] = [];
  #timer: { readonly dueMs: number; readonly handle: Timer } | undefined;
  #processing = 0;
  /** The state of the key that was taken last. `done` finds it without a lookup if the worker is done before another key is taken. */
  #lastTaken: KeyState<K> | undefined;
  #sequence = 0;
  /** The number of states of keys that are not in the queue. */
  #idle = 0;
  #shuttingDown = false;
  readonly #counts = { adds: 0, retries: 0, taken: 0, queueMs: 0, done: 0, workMs: 0 };

  /**
   * Creates a queue. Only the manager passes `metrics`. Throws INVALID_DURATION if `starvationLimit` is not a valid duration, and
   * INVALID_OPTION for the old name of a renamed option.
   */
  constructor(options: WorkQueueOptions = {}, metrics?: QueueMetrics) {
    const renamed = Object.keys(options)
      .map((option) => renamedOptionProblem(option, RENAMED_QUEUE_OPTIONS))
      .find((problem) => problem !== undefined);
    if (renamed !== undefined) throw new KubewrightError('INVALID_OPTION', `WorkQueue: ${renamed}`);
    const { clock = new SystemClock({ keepAlive: true }), retryLimit, starvationLimit } = options;
    this.#clock = clock;
    this.#delayRule = options.delayRule ?? DEFAULT_DELAY_RULE;
    this.#retryLimit = retryLimit === undefined ? undefined : new TokenBucket({ ...retryLimit, clock });
    this.#metrics = metrics;
    this.#lanes = new ReadyLanes(starvationLimit === undefined ? undefined : millisecondsOf(starvationLimit));
  }

  /** The number of keys that are ready and wait for a worker. */
  get length(): number {
    return this.#lanes.size;
  }
  /** The number of keys that were taken and are not done. */
  get processing(): number {
    return this.#processing;
  }
  /** The time in milliseconds until the next delayed key is due. Zero or negative if it is due. Undefined if no key is delayed. */
  get nextDueMs(): number | undefined {
    const first = this.#heap.first;
    return first === undefined ? undefined : first.dueMs - this.#clock.monotonicMs();
  }
  /**
   * Returns the time in milliseconds until the key is ready. Returns 0 if the key is ready, and undefined if the key was not added since it
   * was last taken.
   */
  dueInMs(key: K): number | undefined {
    const state = this.#states.get(key);
    if (state === undefined || !state.isRequested) return undefined;
    return state.isReady ? 0 : Math.max(0, state.dueMs - this.#clock.monotonicMs());
  }
  get shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  /**
   * Adds a key. If the key is already waiting, the add can only increase the priority of the key and make the key due earlier. Does nothing
   * after `shutDown`. Throws INVALID_DURATION if `after` is not a valid duration, and INVALID_DELAY if the delay rule returns an invalid
   * delay.
   */
  add(key: K, options: QueueAddOptions = NO_OPTIONS): void {
    if (this.#shuttingDown) return;
    const { cause, priority = 0, rateLimited = false } = options;
    // Computed before the key gets a state, because an invalid delay throws.
    const after = rateLimited || options.after !== undefined ? this.#delayOf(key, options) : 0;
    const state = this.#state(key);
    if (rateLimited) state.failures++;
    if (!state.isRequested) {
      state.isRequested = true;
      state.priority = priority;
    } else if (priority > state.priority) this.#raise(state, priority);
    const isTimer = after > 0 && cause !== undefined && isTimerCause(cause);
    if (cause !== undefined && !isTimer) state.causes = withCause(state.causes, cause);
    if (after === 0 && !rateLimited && state.isReady) return;
    const now = this.#clock.monotonicMs();
    if (rateLimited) state.retry = { dueMs: now + after, cause };
    if (after > 0) this.#delay(state, now + after, isTimer ? cause : undefined);
    else if (!state.isReady) {
      state.timer = undefined;
      this.#makeReady(state, now);
      this.#arm();
    }
    this.#serve(now);
  }

  /**
   * Adds the pending retry of an item to the queue again, with its original due time. Does not count another failure. Does nothing if the
   * item has no pending retry, or after `shutDown`.
   */
  resumeRetry({ key, retry, priority }: QueueItem<K>): void {
    if (retry === undefined || this.#shuttingDown) return;
    const { dueMs, cause } = retry;
    const after = Math.max(0, dueMs - this.#clock.monotonicMs());
    this.add(key, { after, priority, ...(cause !== undefined && { cause }) });
    const state = this.#state(key);
    if (state.isRequested) state.retry = retry;
  }

  /**
   * Resolves with the next key when a key is ready. Resolves with undefined if the queue is shut down and empty. The caller must call
   * `done` for every returned key.
   */
  get(): Promise<QueueItem<K> | undefined> {
    const item = this.take();
    if (item !== undefined || this.#shuttingDown) return Promise.resolve(item);
    return new Promise((resolve) => this.#getters.push(resolve));
  }

  /** Takes the next key if a key is ready. Returns undefined otherwise. The caller must call `done` for every returned key. */
  take(): QueueItem<K> | undefined {
    return this.#lanes.size === 0 ? undefined : this.#take(this.#clock.monotonicMs());
  }
  #take(now: number): QueueItem<K> | undefined {
    const state = this.#lanes.shift(now);
    if (state === undefined) return undefined;
    const { key, causes, priority, retry } = state;
    const waitedMs = now - state.readyAtMs;
    state.clear();
    state.processing = true;
    state.takenAtMs = now;
    this.#lastTaken = state;
    this.#processing++;
    this.#counts.taken++;
    this.#counts.queueMs += waitedMs;
    this.#metrics?.taken(priority, waitedMs);
    const attempt = state.failures + 1;
    return retry !== undefined && retry.dueMs > now
      ? { key, causes, attempt, priority, retry }
      : { key, causes, attempt, priority };
  }

  /** Resolves at most the given number of waiting `get` calls with undefined, for workers that are no longer needed. */
  dismiss(count: number): void {
    for (let dismissed = 0; dismissed < count; dismissed++) this.#getters.shift()?.(undefined);
  }

  /** Records that the processing of a key has ended. If the key was added in the meantime and is ready, adds it to the end of its lane. */
  done(key: K): void {
    const state = this.#lastTaken?.key === key ? this.#lastTaken : this.#states.get(key);
    if (state === undefined || !state.processing) return;
    const now = this.#clock.monotonicMs();
    const workedMs = now - state.takenAtMs;
    state.processing = false;
    this.#processing--;
    this.#counts.done++;
    this.#counts.workMs += workedMs;
    this.#metrics?.done(workedMs);
    if (state.isReady) this.#lineUp(state);
    else this.#release(state);
    this.#serve(now);
    this.#settleDrain();
  }

  /** Resets the failure count of a key. Does not remove the key from the queue. */
  forget(key: K): void {
    const state = this.#states.get(key);
    if (state === undefined) return;
    state.failures = 0;
    this.#release(state);
  }
  /** Returns the number of rate-limited adds of a key since it was last forgotten. */
  failures(key: K): number {
    return this.#states.get(key)?.failures ?? 0;
  }

  /**
   * Returns the keys that are ready, in processing or due. Also returns failed keys whose retry is due within `retriesWithinMs`
   * milliseconds.
   */
  pending(retriesWithinMs = 0): readonly K[] {
    const now = this.#clock.monotonicMs();
    const keys: K[] = [];
    for (const { key, processing, isReady, dueMs, failures } of this.#states.values()) {
      const soon = failures > 0 ? now + retriesWithinMs : now;
      if (processing || isReady || dueMs <= soon) keys.push(key);
    }
    return keys;
  }

  /**
   * Shuts the queue down. Ignores later adds and removes delayed keys. `get` returns the remaining ready keys, and then undefined. Resolves
   * immediately. With `drain`, resolves when all keys are done, or when `shutDown` is called without `drain`.
   */
  shutDown(options: { readonly drain?: boolean } = {}): Promise<void> {
    this.#shuttingDown = true;
    this.#dropDelayed();
    for (let getter = this.#getters.shift(); getter !== undefined; getter = this.#getters.shift()) getter(undefined);
    if (options.drain === true && !this.#isIdle()) {
      return new Promise((resolve) => this.#drained.push(resolve));
    }
    this.#endDrain();
    return Promise.resolve();
  }

  /** Returns the current state of the queue. */
  stats(): QueueStats {
    const now = this.#clock.monotonicMs();
    let [unfinished, longest] = [0, 0];
    for (const { processing, takenAtMs } of this.#states.values()) {
      if (!processing) continue;
      unfinished += now - takenAtMs;
      longest = Math.max(longest, now - takenAtMs);
    }
    return {
      depth: this.#lanes.size,
      depthByPriority: this.#lanes.depths,
      delayed: this.#heap.size,
      processing: this.#processing,
      adds: this.#counts.adds,
      retries: this.#counts.retries,
      queueMs: { count: this.#counts.taken, sum: this.#counts.queueMs },
      workMs: { count: this.#counts.done, sum: this.#counts.workMs },
      unfinishedWorkMs: unfinished,
      longestRunningMs: longest,
    };
  }

  #state(key: K): KeyState<K> {
    let state = this.#states.get(key);
    if (state === undefined) {
      state = new KeyState(key);
      this.#states.set(key, state);
    } else if (state.isIdle) {
      state.isIdle = false;
      this.#idle--;
    }
    return state;
  }
  #delayOf(key: K, options: QueueAddOptions): number {
    const after = options.after === undefined ? undefined : millisecondsOf(options.after);
    if (options.rateLimited !== true) return after ?? 0;
    const ruled = checkedDelayMs(this.#delayRule(this.failures(key)));
    const limited = Math.max(ruled, this.#retryLimit?.reserveMs() ?? 0);
    return after === undefined ? limited : Math.min(limited, after);
  }
  #delay(state: KeyState<K>, dueMs: number, timer: Cause | undefined): void {
    this.#counts.retries++;
    this.#metrics?.delayed();
    if (state.isReady || state.dueMs <= dueMs) return;
    this.#heap.remove(state);
    state.dueMs = dueMs;
    state.timer = timer;
    state.sequence = this.#sequence++;
    this.#heap.push(state);
    this.#arm();
  }

  /** Increases the priority of a waiting key and moves it to the end of the lane of this priority. */
  #raise(state: KeyState<K>, priority: number): void {
    const from = state.priority;
    state.priority = priority;
    if (state.lane === undefined) return;
    this.#lanes.push(state, priority);
    this.#metrics?.moved(from, priority);
  }
  #makeReady(state: KeyState<K>, now: number): void {
    this.#heap.remove(state);
    state.isReady = true;
    if (state.timer !== undefined) state.causes = withCause(state.causes, state.timer);
    state.readyAtMs = now;
    this.#counts.adds++;
    this.#metrics?.added();
    if (!state.processing) this.#lineUp(state);
  }
  #lineUp(state: KeyState<K>): void {
    this.#lanes.push(state, state.priority);
    this.#metrics?.waits(state.priority);
  }
  /** Resolves waiting `get` calls with ready keys. */
  #serve(now: number): void {
    while (this.#lanes.size > 0) {
      const getter = this.#getters.shift();
      if (getter === undefined) return;
      getter(this.#take(now));
    }
  }
  /** Starts a single timer for the delayed key that is due first. */
  #arm(): void {
    const dueMs = this.#heap.first?.dueMs;
    if (this.#timer?.dueMs === dueMs) return;
    this.#timer?.handle.cancel();
    this.#timer = undefined;
    if (dueMs === undefined) return;
    const handle = this.#clock.schedule(Math.max(0, dueMs - this.#clock.monotonicMs()), () => this.#onTimer());
    this.#timer = { dueMs, handle };
  }
  /** Makes all due keys ready before any of them is returned, so that the key with the highest priority is returned first. */
  #onTimer(): void {
    this.#timer = undefined;
    const now = this.#clock.monotonicMs();
    for (let first = this.#heap.first; first !== undefined && first.dueMs <= now; first = this.#heap.first) {
      this.#makeReady(first, now);
    }
    this.#arm();
    this.#serve(now);
  }
  #dropDelayed(): void {
    this.#heap.clear();
    this.#arm();
    for (const state of this.#states.values()) {
      if (!state.isReady) state.clear();
      this.#release(state);
    }
  }

  /**
   * Removes the state of a key if the key is not in the queue, is not being processed, and has no failures. If the key is a string, keeps
   * up to `MOST_IDLE` such states for later adds of their keys. Never keeps the state of a key that is not a string, so that an object can
   * be garbage-collected. After `shutDown`, removes the state even if the key has failures, and keeps no states.
   */
  #release(state: KeyState<K>): void {
    if (state.isRequested || state.processing) return;
    if (!this.#shuttingDown) {
      if (state.failures > 0 || state.isIdle) return;
      if (this.#idle < MOST_IDLE && typeof state.key === 'string') {
        this.#idle++;
        state.isIdle = true;
        return;
      }
    }
    this.#states.delete(state.key);
    if (this.#lastTaken === state) this.#lastTaken = undefined;
  }
  #isIdle(): boolean {
    return this.#processing === 0 && this.#lanes.size === 0;
  }
  #settleDrain(): void {
    if (this.#drained.length > 0 && this.#isIdle()) this.#endDrain();
  }
  #endDrain(): void {
    const waiting = this.#drained;
    this.#drained = [];
    for (const resolve of waiting) resolve();
  }
}

function millisecondsOf(time: Duration | number): number {
  return typeof time === 'number' ? time : durationMs(time);
}
