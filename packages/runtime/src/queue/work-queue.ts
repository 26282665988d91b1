import { type Clock, type Duration, durationMs, SystemClock, type Timer } from '@kubewright/api/clock';
import type { QueueMetrics } from '../metrics/queue-metrics.js';
import { TokenBucket } from '../transport/token-bucket.js';
import type { Cause } from './cause.js';
import { addCause, isTimerCause } from './causes.js';
import { DelayHeap, type Waiting } from './delay-heap.js';
import { checkedDelayMs, DEFAULT_DELAY_RULE, type DelayRule } from './delay-rule.js';
import type { QueueStats } from './queue-stats.js';
import { type Lane, type Lined, ReadyLanes } from './ready-lanes.js';
import { Ring } from './ring.js';

/** What `new WorkQueue` takes. */
export interface WorkQueueOptions {
  /** @default that of this machine; a process lives on as long as a key waits for its time */
  readonly clock?: Clock;
  /** How long a rate-limited add waits, told from the failures of its key. @default from 5 ms to 1000 s, doubling */
  readonly delayRule?: DelayRule;
  /** How many rate-limited adds of all keys together go through; those beyond wait for their turn. @default no limit */
  readonly retryLimit?: { readonly perSecond: number; readonly burst: number } | undefined;
  /** A ready key that has waited so long, or so many milliseconds, goes now and then before keys of a higher priority. @default never */
  readonly patience?: Duration | number | undefined;
}
/** How `WorkQueue.add` asks for a key. */
export interface QueueAddOptions {
  /** How long to wait; a number is one of milliseconds. @default 0 */
  readonly after?: Duration | number;
  /**
   * Counts as a failure of the key and waits as long as delay rule and retry limit say. With `after` too, the shorter time counts.
   * @default false
   */
  readonly rateLimited?: boolean;
  /** Keys of a higher number go first. @default 0 */
  readonly priority?: number;
  /** Told with the key when it is taken. @default none */
  readonly cause?: Cause;
}
/** A key that was taken from a queue. */
export interface QueueItem<K> {
  readonly key: K;
  /** Why it was added since it was taken last. */
  readonly causes: readonly Cause[];
  /** 1 and the failures that were not forgotten. */
  readonly attempt: number;
  readonly priority: number;
  /** The retry that the key still waits for. Set if another add made the key ready before the time of the retry. */
  readonly retry?: PendingRetry;
}
/** A rate-limited add whose time has not come. */
export interface PendingRetry {
  /** The monotonic time of the retry, in milliseconds. */
  readonly dueMs: number;
  readonly cause: Cause | undefined;
}

/** All that is known of a key. */
interface Entry<K> {
  readonly key: K;
  processing: boolean;
  takenAtMs: number;
  failures: number;
  /** What was asked for since the key was taken last. */
  asked: Asked<K> | undefined;
}
/** All adds of a key that came together. It waits in the heap until it is ready, then in a lane, unless the key is being worked on. */
interface Asked<K> extends Waiting, Lined {
  readonly entry: Entry<K>;
  dueMs: number;
  sequence: number;
  priority: number;
  readonly causes: Cause[];
  /** The cause that it has when nothing else brings it before its time. */
  timer: Cause | undefined;
  /** The latest rate-limited add. */
  retry: PendingRetry | undefined;
  isReady: boolean;
  readyAtMs: number;
}

/**
 * Keys that wait to be worked on. A key is never handed out twice at a time; adds while it waits fall together into one, with the
 * highest priority and the earliest time of them; adds while it is worked on bring it back exactly once. Ready keys of a higher
 * priority go first, those of the same in the order in which they became ready or rose to it.
 *
 * A controller has its own. One made by hand is for programs that do without: plain, delayed, rate limited and with priorities in one.
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
  readonly #entries = new Map<K, Entry<K>>();
  readonly #heap = new DelayHeap<Asked<K>>();
  readonly #lanes: ReadyLanes<Asked<K>>;
  readonly #getters = new Ring<(item: QueueItem<K> | undefined) => void>();
  #drained: (() => void)[] = [];
  #timer: { readonly dueMs: number; readonly handle: Timer } | undefined;
  #processing = 0;
  #sequence = 0;
  #shuttingDown = false;
  readonly #counts = { adds: 0, retries: 0, taken: 0, queueMs: 0, done: 0, workMs: 0 };

  /** Throws INVALID_DURATION. A manager passes by what it measures the queue; there is nothing to pass for others. */
  constructor(options: WorkQueueOptions = {}, metrics?: QueueMetrics) {
    const { clock = new SystemClock({ keepAlive: true }), retryLimit, patience } = options;
    this.#clock = clock;
    this.#delayRule = options.delayRule ?? DEFAULT_DELAY_RULE;
    this.#retryLimit = retryLimit === undefined ? undefined : new TokenBucket({ ...retryLimit, clock });
    this.#metrics = metrics;
    this.#lanes = new ReadyLanes(patience === undefined ? undefined : millisecondsOf(patience));
  }

  /** Keys that are ready and wait for a worker. */
  get length(): number {
    return this.#lanes.size;
  }
  /** Keys that were taken and are not done. */
  get processing(): number {
    return this.#processing;
  }
  /** Milliseconds until the next delayed key is due, not above zero when it is; undefined when there is none. */
  get nextDueMs(): number | undefined {
    const first = this.#heap.first;
    return first === undefined ? undefined : first.dueMs - this.#clock.monotonicMs();
  }
  /** Milliseconds until the key is ready, 0 if it is ready, undefined if no add waits. */
  dueInMs(key: K): number | undefined {
    const asked = this.#entries.get(key)?.asked;
    if (asked === undefined) return undefined;
    return asked.isReady ? 0 : Math.max(0, asked.dueMs - this.#clock.monotonicMs());
  }
  get shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  /**
   * Asks for the key to be worked on. Adds of a key that waits raise its priority and bring its time nearer, never the other way
   * round; one that is ready stays so. Ignored after `shutDown`. Throws INVALID_DURATION, and INVALID_DELAY where the delay rule gives no
   * time.
   */
  add(key: K, options: QueueAddOptions = {}): void {
    if (this.#shuttingDown) return;
    const entry = this.#entry(key);
    const after = this.#delayOf(entry, options);
    const asked = (entry.asked ??= newlyAsked(entry, options.priority ?? 0));
    const { cause } = options;
    const isTimer = cause !== undefined && isTimerCause(cause) && after > 0;
    if (cause !== undefined && !isTimer) addCause(asked.causes, cause);
    this.#raise(asked, options.priority ?? 0);
    if (options.rateLimited === true) asked.retry = { dueMs: this.#clock.monotonicMs() + after, cause };
    if (after > 0) this.#delay(asked, after, isTimer ? cause : undefined);
    else if (!asked.isReady) {
      asked.timer = undefined;
      this.#makeReady(asked);
      this.#arm();
    }
    this.#serve();
  }

  /**
   * Adds the key for the retry that the item was taken ahead of: at the time of that retry, and without counting another failure. Does
   * nothing if no retry was pending.
   */
  resumeRetry({ key, retry, priority }: QueueItem<K>): void {
    if (retry === undefined || this.#shuttingDown) return;
    const { dueMs, cause } = retry;
    const after = Math.max(0, dueMs - this.#clock.monotonicMs());
    this.add(key, { after, priority, ...(cause !== undefined && { cause }) });
    const { asked } = this.#entry(key);
    if (asked !== undefined) asked.retry = retry;
  }

  /** The next key, when there is one; undefined when the queue was shut down and has nothing left. Every key must be given to `done`. */
  get(): Promise<QueueItem<K> | undefined> {
    const item = this.#take();
    if (item !== undefined || this.#shuttingDown) return Promise.resolve(item);
    return new Promise((resolve) => this.#getters.push(resolve));
  }

  /** Answers so many of those who wait in `get` as if the queue was shut down: they are not needed any more. */
  dismiss(count: number): void {
    for (let dismissed = 0; dismissed < count; dismissed++) this.#getters.shift()?.(undefined);
  }

  /** Says that the work on the key has ended; what was added since then makes it ready again, at the end of the line. */
  done(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined || !entry.processing) return;
    const workedMs = this.#clock.monotonicMs() - entry.takenAtMs;
    entry.processing = false;
    this.#processing--;
    this.#counts.done++;
    this.#counts.workMs += workedMs;
    this.#metrics?.done(workedMs);
    if (entry.asked?.isReady === true) this.#lineUp(entry.asked);
    else this.#release(entry);
    this.#serve();
    this.#settleDrain();
  }

  /** Forgets the failures of the key, not the key. */
  forget(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    entry.failures = 0;
    this.#release(entry);
  }
  /** Rate-limited adds of the key since it was forgotten. */
  failures(key: K): number {
    return this.#entries.get(key)?.failures ?? 0;
  }

  /** Keys that are ready, being worked on, due at this moment, or failed and due again within `retriesWithinMs`. */
  pending(retriesWithinMs = 0): readonly K[] {
    const now = this.#clock.monotonicMs();
    const keys: K[] = [];
    for (const { key, processing, asked, failures } of this.#entries.values()) {
      const soon = failures > 0 ? now + retriesWithinMs : now;
      if (processing || (asked !== undefined && (asked.isReady || asked.dueMs <= soon))) keys.push(key);
    }
    return keys;
  }

  /**
   * Takes no more adds and drops the delayed ones. What is ready is still handed out; then `get` gives undefined. With `drain`
   * the promise resolves when all of it is done, or at the next `shutDown` without; else at once.
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

  /** How it fares at this moment. */
  stats(): QueueStats {
    const now = this.#clock.monotonicMs();
    let [unfinished, longest] = [0, 0];
    for (const entry of this.#entries.values()) {
      if (!entry.processing) continue;
      unfinished += now - entry.takenAtMs;
      longest = Math.max(longest, now - entry.takenAtMs);
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

  #entry(key: K): Entry<K> {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { key, processing: false, takenAtMs: 0, failures: 0, asked: undefined };
      this.#entries.set(key, entry);
    }
    return entry;
  }
  #delayOf(entry: Entry<K>, options: QueueAddOptions): number {
    const after = options.after === undefined ? undefined : millisecondsOf(options.after);
    if (options.rateLimited !== true) return after ?? 0;
    const ruled = checkedDelayMs(this.#delayRule(entry.failures));
    const limited = Math.max(ruled, this.#retryLimit?.reserveMs() ?? 0);
    entry.failures++;
    return after === undefined ? limited : Math.min(limited, after);
  }
  #delay(asked: Asked<K>, after: number, timer: Cause | undefined): void {
    this.#counts.retries++;
    this.#metrics?.delayed();
    const dueMs = this.#clock.monotonicMs() + after;
    if (asked.isReady || asked.dueMs <= dueMs) return;
    this.#heap.remove(asked);
    asked.dueMs = dueMs;
    asked.timer = timer;
    asked.sequence = this.#sequence++;
    this.#heap.push(asked);
    this.#arm();
  }

  /** Priorities only rise while a key waits; it then goes to the end of its new line. */
  #raise(asked: Asked<K>, priority: number): void {
    if (priority <= asked.priority) return;
    const from = asked.priority;
    asked.priority = priority;
    if (asked.lane === undefined) return;
    this.#lanes.push(asked, priority);
    this.#metrics?.moved(from, priority);
  }
  #makeReady(asked: Asked<K>): void {
    this.#heap.remove(asked);
    asked.isReady = true;
    if (asked.timer !== undefined) addCause(asked.causes, asked.timer);
    asked.readyAtMs = this.#clock.monotonicMs();
    this.#counts.adds++;
    this.#metrics?.added();
    if (!asked.entry.processing) this.#lineUp(asked);
  }
  #lineUp(asked: Asked<K>): void {
    this.#lanes.push(asked, asked.priority);
    this.#metrics?.waits(asked.priority);
  }
  /** Hands what is ready to those that wait for it. */
  #serve(): void {
    while (this.#lanes.size > 0) {
      const getter = this.#getters.shift();
      if (getter === undefined) return;
      getter(this.#take());
    }
  }
  #take(): QueueItem<K> | undefined {
    const now = this.#clock.monotonicMs();
    const asked = this.#lanes.shift(now);
    if (asked === undefined) return undefined;
    const { entry, causes, priority } = asked;
    entry.asked = undefined;
    entry.processing = true;
    entry.takenAtMs = now;
    this.#processing++;
    this.#counts.taken++;
    this.#counts.queueMs += now - asked.readyAtMs;
    this.#metrics?.taken(priority, now - asked.readyAtMs);
    const item = { key: entry.key, causes, attempt: entry.failures + 1, priority };
    const { retry } = asked;
    return retry !== undefined && retry.dueMs > now ? { ...item, retry } : item;
  }

  /** One timer, for the earliest delayed key. */
  #arm(): void {
    const dueMs = this.#heap.first?.dueMs;
    if (this.#timer?.dueMs === dueMs) return;
    this.#timer?.handle.cancel();
    this.#timer = undefined;
    if (dueMs === undefined) return;
    const handle = this.#clock.schedule(Math.max(0, dueMs - this.#clock.monotonicMs()), () => this.#onTimer());
    this.#timer = { dueMs, handle };
  }
  /** All that is due becomes ready before any of it is handed out, so that the highest priority of it goes first. */
  #onTimer(): void {
    this.#timer = undefined;
    const now = this.#clock.monotonicMs();
    for (let first = this.#heap.first; first !== undefined && first.dueMs <= now; first = this.#heap.first) {
      this.#makeReady(first);
    }
    this.#arm();
    this.#serve();
  }
  #dropDelayed(): void {
    this.#heap.clear();
    this.#arm();
    for (const entry of this.#entries.values()) {
      if (entry.asked?.isReady === false) entry.asked = undefined;
      this.#release(entry);
    }
  }

  /** Nothing is kept of a key that has nothing to come and no failures. */
  #release(entry: Entry<K>): void {
    if (entry.asked !== undefined || entry.processing) return;
    if (entry.failures > 0 && !this.#shuttingDown) return;
    this.#entries.delete(entry.key);
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
function newlyAsked<K>(entry: Entry<K>, priority: number): Asked<K> {
  return {
    entry,
    dueMs: Number.POSITIVE_INFINITY,
    sequence: 0,
    position: -1,
    priority,
    causes: [],
    timer: undefined,
    retry: undefined,
    isReady: false,
    readyAtMs: 0,
    lane: undefined as Lane | undefined,
  };
}
