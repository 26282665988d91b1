import {
  Clock,
  type Duration,
  durationMs,
  type Random,
  systemRandom,
  type Timer,
  type TimerOptions,
} from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { endsSoon } from './ends-soon.js';
import { currentRun } from './quiescence/run-name.js';
import { seededRandom } from './random-numbers.js';

/** The options of a `FakeClock`. */
export interface FakeClockOptions {
  /**
   * The seed of the random values of this clock: the delays, names and uids of the environments, managers and servers with this clock.
   * @default none: the random values of the system
   */
  readonly seed?: string | number;
}

interface Alarm {
  readonly dueMs: number;
  readonly callback: () => void;
  readonly isUpkeep: boolean;
}

/** Whether a timer does more than maintain connections or records. */
function isRelevant({ isUpkeep }: Alarm): boolean {
  return !isUpkeep;
}

/**
 * A clock that advances only when `advance` is called. Timers fire at their scheduled times, the earliest first. Even if the clock advances
 * by several hours at once, the callback of a timer reads the scheduled time of the timer. Only timers that maintain connections or records
 * can fire later, just before the next other timer.
 *
 * @example
 * const clock = new FakeClock();
 * await using env = await TestEnvironment.start({ kinds: [Machine], clock });
 * await env.run(MachineController);
 * await clock.advance('1h');
 */
export class FakeClock extends Clock {
  #startMs: number;
  readonly #alarms = new Set<Alarm>();
  readonly #sleepers = new Set<{ readonly name: string }>();
  readonly #settlers = new Set<(hasFired: boolean) => Promise<void>>();
  readonly #random: Random;
  #elapsedMs = 0;

  /** @param start the wall-clock time at the start @default '2026-01-01T00:00:00Z' */
  constructor(start: string | Date = '2026-01-01T00:00:00Z', { seed }: FakeClockOptions = {}) {
    super();
    this.#random = seed === undefined ? systemRandom : seededRandom(seed);
    this.#startMs = new Date(start).getTime();
  }

  override get random(): Random {
    return this.#random;
  }
  override now(): Date {
    return new Date(this.#startMs + this.#elapsedMs);
  }
  override monotonicMs(): number {
    return this.#elapsedMs;
  }
  override schedule(delayMs: number, callback: () => void, { isUpkeep = false }: TimerOptions = {}): Timer {
    const alarm: Alarm = { dueMs: this.#elapsedMs + Math.max(0, delayMs), callback, isUpkeep };
    this.#alarms.add(alarm);
    return { cancel: () => void this.#alarms.delete(alarm) };
  }

  /**
   * The time in milliseconds until the next timer fires. Ignores timers that only maintain connections or records, such as the time limit
   * of a watch. The value is `Infinity` if no other timer is scheduled.
   */
  get msToNextTimer(): number {
    return this.#nextDueMs(isRelevant) - this.#elapsedMs;
  }

  /** Sleeps as every clock does. While a reconcile sleeps, `sleepingReconciles` contains its name. */
  override async sleep(delay: Duration, signal?: AbortSignal): Promise<void> {
    const name = currentRun();
    if (name === undefined) return super.sleep(delay, signal);
    const sleeper = { name };
    this.#sleepers.add(sleeper);
    try {
      await super.sleep(delay, signal);
    } finally {
      this.#sleepers.delete(sleeper);
    }
  }
  /** The names of the reconciles that sleep on this clock, such as 'reconcile machine default/a'. */
  get sleepingReconciles(): readonly string[] {
    return [...this.#sleepers].map(({ name }) => name);
  }

  /**
   * Advances the time. Resolves after all due timers have run and the test environments of this clock have settled. Rejects with the error
   * of an environment that does not settle, such as NOT_SETTLED.
   *
   * Timers that only maintain connections or records fire in order, but late: just before the next other timer, or at the end. Otherwise,
   * an hour with many watches would take hundreds of steps.
   */
  async advance(by: Duration): Promise<void> {
    const end = this.#elapsedMs + durationMs(by);
    await this.#settle(false);
    while (await this.#step(end));
  }

  /**
   * Advances the time in steps of 1 s until the work ends, and returns the result of the work. Use this method for work that can wait for
   * the clock, such as a request of the test while the server delays requests. Rejects with the error of the work or of an environment, and
   * with WAIT_TIMEOUT if the work does not end within the limit.
   * @param limit the maximum time of this clock @default '1h'
   *
   * @example const machine = await clock.during(env.client.create(new Machine({ metadata })));
   */
  async during<T>(work: Promise<T>, limit: Duration = '1h'): Promise<T> {
    const endMs = this.#elapsedMs + durationMs(limit);
    for (;;) {
      if (this.#settlers.size > 0) await Promise.race([work, this.#settle(true)]);
      if (await endsSoon(work, this.#settlers.size > 0)) return work;
      if (this.#elapsedMs >= endMs) {
        throw new KubewrightError('WAIT_TIMEOUT', `the work has not ended after ${limit} on the fake clock`);
      }
      await this.advance('1s');
    }
  }

  /** Sets the wall clock, as an administrator sets the clock of a machine. Timers use monotonic time and do not change. */
  setTime(time: string | Date): void {
    this.#startMs = new Date(time).getTime() - this.#elapsedMs;
  }

  /**
   * Registers a callback that `advance` calls and awaits: at its start with the argument false, and each time after timers have fired with
   * the argument true. Returns a function that removes the callback.
   */
  onAdvance(settle: (hasFired: boolean) => Promise<void>): () => void {
    this.#settlers.add(settle);
    return () => void this.#settlers.delete(settle);
  }

  /**
   * Advances to the next time at which timers fire, and fires them. Returns false if no timer is due until `end`. Timers that only maintain
   * connections or records fire 1 ms before the next other timer, so that no other work is due while the environments settle.
   */
  async #step(end: number): Promise<boolean> {
    const relevantMs = this.#nextDueMs(isRelevant);
    const dueMs = this.#nextDueMs();
    const beforeMs = Math.max(this.#elapsedMs, Math.min(relevantMs - 1, end));
    const hasUpkeep = dueMs <= beforeMs;
    this.#elapsedMs = hasUpkeep ? beforeMs : Math.max(this.#elapsedMs, Math.min(relevantMs, end));
    if (dueMs > this.#elapsedMs) return false;
    this.#fireUntil(hasUpkeep ? dueMs : this.#elapsedMs);
    await this.#settle(true);
    return true;
  }

  /** Returns the time of the earliest timer, or Infinity if no timer is scheduled. */
  #nextDueMs(isIncluded: (alarm: Alarm) => boolean = () => true): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const alarm of this.#alarms) if (isIncluded(alarm)) nextMs = Math.min(nextMs, alarm.dueMs);
    return nextMs;
  }
  #fireUntil(dueMs: number): void {
    const due = [...this.#alarms].filter((alarm) => alarm.dueMs <= dueMs);
    for (const alarm of due) if (this.#alarms.delete(alarm)) alarm.callback();
  }
  async #settle(hasFired: boolean): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (const settle of this.#settlers) await settle(hasFired);
  }
}
