import type { Steps, Wait } from '@kubewright/api/apply';
import type { Clock, Timer } from '@kubewright/api/clock';
import { isConflict } from '@kubewright/api/errors';
import type { KeyQueue } from './controller.js';
import type { TurnTaker, WorkTurns } from './work-turns.js';

const firstRetryMs = 100;
const longestRetryMs = 10_000;

/**
 * Processes keys one at a time. A key that is added several times is processed once. A key whose work throws a conflict is queued again
 * immediately. After other errors, the key is retried with exponential back-off. The clock schedules delayed keys. While the work on a key
 * waits, other loops run.
 */
export class WorkLoop implements KeyQueue, TurnTaker {
  readonly name: string;
  readonly #clock: Clock;
  readonly #sync: (key: string) => Steps<void> | void;
  readonly #turns: WorkTurns;
  readonly #queue = new Set<string>();
  /** The key whose work has started and is not finished. */
  #current: { readonly key: string; readonly steps: Steps<void> } | undefined;
  /** Whether the work on the current key waits, for example for a webhook. */
  #isWaiting = false;
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
  }) {
    this.name = options.name;
    this.#clock = options.clock;
    this.#sync = options.sync;
    this.#turns = options.turns;
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
    if (this.#isWaiting) return false;
    const [key] = this.#current === undefined ? this.#queue : [this.#current.key];
    if (key === undefined) return false;
    if (this.#current === undefined) this.#queue.delete(key);
    this.#run(key);
    return true;
  }

  get hasWork(): boolean {
    return !this.#isWaiting && (this.isMidway || this.#queue.size > 0);
  }

  get isMidway(): boolean {
    return this.#current !== undefined;
  }

  /**
   * Returns the pending work as `name key`: the current key, queued keys, and failed keys with their error. Does not include delayed keys.
   */
  pending(): readonly string[] {
    const keys = new Set([...(this.#current === undefined ? [] : [this.#current.key]), ...this.#queue]);
    return [...keys, ...this.#retries.keys()].map((key) => {
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
    this.#current = undefined;
    this.#retries.clear();
    this.#appointments.clear();
  }

  #run(key: string): void {
    try {
      const steps = this.#current?.steps ?? this.#sync(key);
      const { done = true, value } = steps?.next() ?? {};
      this.#current = steps === undefined || done ? undefined : { key, steps };
      if (this.#current === undefined) this.#failures.delete(key);
      else if (value !== undefined) this.#wait(key, value);
    } catch (error) {
      this.#fail(key, error);
    }
  }

  #wait(key: string, wait: Wait): void {
    this.#isWaiting = true;
    const resume = (): void => {
      this.#isWaiting = false;
      if (!this.#stopped) this.#turns.request();
    };
    wait(() => this.#stopped).then(resume, (error: unknown) => {
      if (!this.#stopped) this.#fail(key, error);
      resume();
    });
  }

  #fail(key: string, error: unknown): void {
    this.#current = undefined;
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
