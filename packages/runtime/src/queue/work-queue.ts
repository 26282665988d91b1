import type { Clock, Timer } from '@kubewright/api/clock';
import type { QueueMetrics } from '../metrics/queue-metrics.js';
import type { Cause } from './cause.js';
import { addCause } from './causes.js';
import { DelayHeap, type Waiting } from './delay-heap.js';
import { DEFAULT_DELAY_RULE, type DelayRule } from './delay-rule.js';
import type { QueueStats } from './queue-stats.js';
import { Ring } from './ring.js';

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** How long a rate-limited add waits. @default from 5 ms to 1000 s, doubling */
  readonly delayRule?: DelayRule;
  /** @default it is not measured */
  readonly metrics?: QueueMetrics | undefined;
}
export interface AddOptions {
  /** Milliseconds to wait. @default 0 */
  readonly after?: number;
  /** Counts as a failure of the key and waits as long as the delay rule says. With `after` too, the shorter time counts. @default false */
  readonly rateLimited?: boolean;
  /** Keys of a higher number go first. @default 0 */
  readonly priority?: number;
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
}

/** All that is known of a key. It is `dirty` from an add until it is taken, and `processing` from then until it is done. */
interface Entry<K> {
  readonly key: K;
  dirty: boolean;
  processing: boolean;
  failures: number;
  priority: number;
  causes: Cause[];
  /** The lane in which the entry waits while it is dirty and not being processed. */
  lane: Lane<K> | undefined;
  delayed: Delayed<K> | undefined;
  readyAtMs: number;
  takenAtMs: number;
}
interface Delayed<K> extends Waiting {
  readonly entry: Entry<K>;
  readonly priority: number;
  readonly cause: Cause | undefined;
}
/** The ready entries of one priority; an entry that moved to another lane leaves its slot behind. */
interface Lane<K> {
  readonly priority: number;
  readonly ring: Ring<Entry<K>>;
}

/**
 * Keys that wait to be worked on. A key is never handed out twice at a time; adds while it waits fall together into one; adds
 * while it is worked on bring it back exactly once. Ready keys of the same priority go in the order in which they became ready.
 */
export class WorkQueue<K> {
  readonly #clock: Clock;
  readonly #delayRule: DelayRule;
  readonly #metrics: QueueMetrics | undefined;
  readonly #entries = new Map<K, Entry<K>>();
  readonly #heap = new DelayHeap<Delayed<K>>();
  /** From the highest priority to the lowest. */
  readonly #lanes: Lane<K>[] = [];
  readonly #getters = new Ring<(item: QueueItem<K> | undefined) => void>();
  #drained: (() => void)[] = [];
  #timer: { readonly dueMs: number; readonly handle: Timer } | undefined;
  #ready = 0;
  #processing = 0;
  #sequence = 0;
  #shuttingDown = false;
  #counts = { adds: 0, retries: 0, taken: 0, queueMs: 0, done: 0, workMs: 0 };

  constructor(options: WorkQueueOptions) {
    this.#clock = options.clock;
    this.#delayRule = options.delayRule ?? DEFAULT_DELAY_RULE;
    this.#metrics = options.metrics;
  }

  /** Keys that are ready and wait for a worker. */
  get length(): number {
    return this.#ready;
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
  get shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  /** Asks for the key to be worked on. A delayed add keeps the earlier of its time and that of another. Ignored after `shutDown`. */
  add(key: K, options: AddOptions = {}): void {
    if (this.#shuttingDown) return;
    const entry = this.#entry(key);
    const after = this.#delayOf(entry, options);
    if (after <= 0) this.#makeReady(entry, options.priority ?? 0, options.cause);
    else this.#delay(entry, after, options);
  }

  /** The next key, when there is one; undefined when the queue was shut down and has nothing left. Every key must be given to `done`. */
  get(): Promise<QueueItem<K> | undefined> {
    const item = this.#take();
    if (item !== undefined || this.#shuttingDown) return Promise.resolve(item);
    return new Promise((resolve) => this.#getters.push(resolve));
  }

  /** Says that the work on the key has ended; what was added since then makes it ready again, at the end of the line. */
  done(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined || !entry.processing) return;
    entry.processing = false;
    this.#processing--;
    const workedMs = this.#clock.monotonicMs() - entry.takenAtMs;
    this.#counts.done++;
    this.#counts.workMs += workedMs;
    this.#metrics?.done(workedMs);
    if (entry.dirty) this.#push(entry);
    else this.#release(entry);
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
  /** Takes back the delayed add of the key, if there is one that is not due yet. */
  cancel(key: K): void {
    const entry = this.#entries.get(key);
    if (entry?.delayed === undefined) return;
    this.#heap.remove(entry.delayed);
    entry.delayed = undefined;
    this.#release(entry);
    this.#arm();
  }

  /** Keys that are ready, being worked on, due at this moment, or failed and due again within `retriesWithinMs`. */
  pending(retriesWithinMs = 0): readonly K[] {
    const now = this.#clock.monotonicMs();
    const keys: K[] = [];
    for (const { key, dirty, processing, delayed, failures } of this.#entries.values()) {
      const soon = failures > 0 ? now + retriesWithinMs : now;
      if (dirty || processing || (delayed !== undefined && delayed.dueMs <= soon)) keys.push(key);
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

  stats(): QueueStats {
    const now = this.#clock.monotonicMs();
    let [unfinished, longest] = [0, 0];
    for (const entry of this.#entries.values()) {
      if (!entry.processing) continue;
      unfinished += now - entry.takenAtMs;
      longest = Math.max(longest, now - entry.takenAtMs);
    }
    return {
      depth: this.#ready,
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
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const entry: Entry<K> = {
      key,
      dirty: false,
      processing: false,
      failures: 0,
      priority: 0,
      causes: [],
      lane: undefined,
      delayed: undefined,
      readyAtMs: 0,
      takenAtMs: 0,
    };
    this.#entries.set(key, entry);
    return entry;
  }
  #delayOf(entry: Entry<K>, options: AddOptions): number {
    if (options.rateLimited !== true) return options.after ?? 0;
    const limited = this.#delayRule(entry.failures);
    entry.failures++;
    return options.after === undefined ? limited : Math.min(limited, options.after);
  }
  #delay(entry: Entry<K>, after: number, options: AddOptions): void {
    this.#counts.retries++;
    this.#metrics?.delayed();
    const dueMs = this.#clock.monotonicMs() + after;
    if (entry.delayed !== undefined) {
      if (entry.delayed.dueMs <= dueMs) return;
      this.#heap.remove(entry.delayed);
    }
    const priority = options.priority ?? 0;
    entry.delayed = { entry, dueMs, priority, cause: options.cause, sequence: this.#sequence++, position: -1 };
    this.#heap.push(entry.delayed);
    this.#arm();
  }

  #makeReady(entry: Entry<K>, priority: number, cause: Cause | undefined): void {
    if (cause !== undefined) addCause(entry.causes, cause);
    if (entry.dirty) {
      if (priority > entry.priority) this.#raise(entry, priority);
      return;
    }
    entry.dirty = true;
    entry.priority = priority;
    entry.readyAtMs = this.#clock.monotonicMs();
    this.#counts.adds++;
    this.#metrics?.added();
    if (!entry.processing) this.#push(entry);
  }
  /** Priorities only rise while a key waits; it then goes to the end of its new line. */
  #raise(entry: Entry<K>, priority: number): void {
    const before = entry.priority;
    entry.priority = priority;
    if (entry.lane === undefined) return;
    this.#metrics?.moved(before, priority);
    entry.lane = this.#lane(priority);
    entry.lane.ring.push(entry);
  }
  #push(entry: Entry<K>): void {
    entry.lane = this.#lane(entry.priority);
    entry.lane.ring.push(entry);
    this.#ready++;
    this.#metrics?.waits(entry.priority);
    const getter = this.#getters.shift();
    if (getter !== undefined) getter(this.#take());
  }
  #lane(priority: number): Lane<K> {
    const at = this.#lanes.findIndex((lane) => lane.priority <= priority);
    const known = this.#lanes[at];
    if (known?.priority === priority) return known;
    const lane: Lane<K> = { priority, ring: new Ring() };
    this.#lanes.splice(at === -1 ? this.#lanes.length : at, 0, lane);
    return lane;
  }
  #take(): QueueItem<K> | undefined {
    const entry = this.#shiftReady();
    if (entry === undefined) return undefined;
    const { causes } = entry;
    entry.dirty = false;
    entry.processing = true;
    entry.causes = [];
    entry.takenAtMs = this.#clock.monotonicMs();
    this.#ready--;
    this.#processing++;
    this.#counts.taken++;
    const waitedMs = entry.takenAtMs - entry.readyAtMs;
    this.#counts.queueMs += waitedMs;
    this.#metrics?.taken(entry.priority, waitedMs);
    return { key: entry.key, causes, attempt: entry.failures + 1, priority: entry.priority };
  }
  #shiftReady(): Entry<K> | undefined {
    for (const lane of this.#lanes) {
      for (let entry = lane.ring.shift(); entry !== undefined; entry = lane.ring.shift()) {
        if (entry.lane !== lane) continue;
        entry.lane = undefined;
        return entry;
      }
    }
    return undefined;
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
  #onTimer(): void {
    this.#timer = undefined;
    const now = this.#clock.monotonicMs();
    for (let first = this.#heap.first; first !== undefined && first.dueMs <= now; first = this.#heap.first) {
      this.#heap.remove(first);
      first.entry.delayed = undefined;
      this.#makeReady(first.entry, first.priority, first.cause);
    }
    this.#arm();
  }
  #dropDelayed(): void {
    this.#heap.clear();
    this.#arm();
    for (const entry of this.#entries.values()) {
      entry.delayed = undefined;
      this.#release(entry);
    }
  }

  /** Nothing is kept of a key that has nothing to come and no failures. */
  #release(entry: Entry<K>): void {
    if (entry.dirty || entry.processing || entry.delayed !== undefined) return;
    if (entry.failures > 0 && !this.#shuttingDown) return;
    this.#entries.delete(entry.key);
  }
  #isIdle(): boolean {
    return this.#processing === 0 && this.#ready === 0;
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
