import type { Steps, Wait } from '@kubewright/api/apply';
import type { Clock, Timer } from '@kubewright/api/clock';
import { isConflict } from '@kubewright/api/errors';
import type { KeyQueue } from './controller.js';
import type { TurnTaker, WorkTurns } from './work-turns.js';

const firstRetryMs = 100;
const longestRetryMs = 10_000;

/** Work on a key. This work has started and is not finished. */
interface Work {
  readonly key: string;
  readonly steps: Steps<void>;
}

/**
 * Processes queued keys. A key that is added several times before its work starts is processed once. If the work on a key throws a
 * conflict, the loop queues the key again immediately. After other errors, the loop retries the key with exponential back-off, from 100 ms
 * to 10 s. The clock schedules delayed keys and retries. While the work on a key waits, for example for a webhook, other loops run. The
 * loop then also starts other keys, up to its concurrency.
 */
export class WorkLoop implements KeyQueue, TurnTaker {
  readonly name: string;
  readonly #clock: Clock;
  readonly #sync: (key: string) => Steps<void> | void;
  readonly #turns: WorkTurns;
  readonly #concurrency: number;
  readonly #queue = new Set<string>();
  /** The keys whose work has started and is not finished. */
  readonly #started = new Set<string>();
  /** The work that continues with the next step. */
  #current: Work | undefined;
  /** The work that has finished its wait and can continue. */
  readonly #resumed: Work[] = [];
  readonly #retries = new Map<string, Timer>();
  readonly #appointments = new Map<string, { readonly timer: Timer; readonly dueMs: number }>();
  readonly #failures = new Map<string, { readonly times: number; readonly reason: string }>();
  #stopped = false;

  constructor(options: {
    readonly name: string;
    readonly clock: Clock;
    /** Reconciles the object of the key. If the function throws, the loop calls the function again later. */
    readonly sync: (key: string) => Steps<void> | void;
    /** Schedules the work of the loop. */
    readonly turns: WorkTurns;
    /** The maximum number of keys whose work has started and is not finished. @default 1 */
    readonly concurrency?: number | undefined;
  }) {
    this.name = options.name;
    this.#clock = options.clock;
    this.#sync = options.sync;
    this.#turns = options.turns;
    this.#concurrency = options.concurrency ?? 1;
    this.#turns.add(this);
  }

  add(key: string): void {
    if (this.#stopped) return;
    this.#queue.add(key);
    this.#turns.request();
  }

  addAfter(key: string, delayMs: number): void {
    if (this.#stopped) return;
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    const dueMs = this.#clock.monotonicMs() + delayMs;
    const known = this.#appointments.get(key);
    if (known !== undefined && known.dueMs <= dueMs) return;
    known?.timer.cancel();
    const timer = this.#clock.schedule(delayMs, () => {
      this.#appointments.delete(key);
      this.add(key);
    });
    this.#appointments.set(key, { timer, dueMs });
  }

  runNext(): boolean {
    const work = this.#current ?? this.#resumed.shift();
    if (work !== undefined) {
      this.#run(work);
      return true;
    }
    const key = this.#nextKey();
    if (key === undefined) return false;
    this.#queue.delete(key);
    this.#start(key);
    return true;
  }

  get hasWork(): boolean {
    return this.isMidway || this.#resumed.length > 0 || this.#nextKey() !== undefined;
  }

  get isMidway(): boolean {
    return this.#current !== undefined;
  }

  /**
   * Returns the pending work as `name key`: started keys, queued keys, and failed keys with their error. Omits delayed keys. If `timers` is
   * false, also omits failed keys that wait for their next attempt.
   */
  pending({ timers }: { readonly timers: boolean } = { timers: true }): readonly string[] {
    const keys = new Set([...this.#started, ...this.#queue, ...(timers ? this.#retries.keys() : [])]);
    return [...keys].map((key) => {
      const failure = this.#failures.get(key);
      return `${this.name} ${key}${failure === undefined ? '' : ` (failed ${failure.times} times: ${failure.reason})`}`;
    });
  }

  /** Discards all work and stops the loop. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#retries.values()) timer.cancel();
    for (const { timer } of this.#appointments.values()) timer.cancel();
    this.#queue.clear();
    this.#started.clear();
    this.#current = undefined;
    this.#resumed.length = 0;
    this.#retries.clear();
    this.#appointments.clear();
  }

  /** Returns the first key that can start. A key waits while the earlier work on the same key is not finished. */
  #nextKey(): string | undefined {
    if (this.#started.size >= this.#concurrency) return undefined;
    for (const key of this.#queue) if (!this.#started.has(key)) return key;
    return undefined;
  }

  #start(key: string): void {
    this.#started.add(key);
    try {
      const steps = this.#sync(key);
      if (steps === undefined) this.#finish(key);
      else this.#run({ key, steps });
    } catch (error) {
      this.#fail(key, error);
    }
  }

  #run(work: Work): void {
    const { key, steps } = work;
    try {
      const { done = true, value } = steps.next();
      this.#current = done || value !== undefined ? undefined : work;
      if (done) this.#finish(key);
      else if (value !== undefined) this.#wait(work, value);
    } catch (error) {
      this.#current = undefined;
      this.#fail(key, error);
    }
  }

  #wait(work: Work, wait: Wait): void {
    const resume = (act: () => void): void => {
      if (this.#stopped) return;
      act();
      this.#turns.request();
    };
    wait(() => this.#stopped).then(
      () => resume(() => this.#resumed.push(work)),
      (error: unknown) => resume(() => this.#fail(work.key, error)),
    );
  }

  #finish(key: string): void {
    this.#started.delete(key);
    this.#failures.delete(key);
  }

  #fail(key: string, error: unknown): void {
    this.#started.delete(key);
    // A client has changed the object between two steps. The next run reads the new state.
    if (isConflict(error)) return this.add(key);
    // The next run starts from the current state, so the kind of error does not matter. `pending` reports the error.
    const times = this.#failures.get(key)?.times ?? 0;
    this.#failures.set(key, { times: times + 1, reason: error instanceof Error ? error.message : String(error) });
    this.#retry(key, Math.min(firstRetryMs * 2 ** times, longestRetryMs));
  }

  #retry(key: string, delayMs: number): void {
    this.#retries.get(key)?.cancel();
    const timer = this.#clock.schedule(delayMs, () => {
      this.#retries.delete(key);
      this.add(key);
    });
    this.#retries.set(key, timer);
  }
}
