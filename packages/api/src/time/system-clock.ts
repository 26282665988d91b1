import { Clock, type Timer } from './clock.js';
import { type Random, systemRandom } from './random.js';
import type { Duration } from './duration.js';

/** The maximum delay of a Node.js timer. A timer with a longer delay fires immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A constant, because each access to the global variable calls a getter. */
const { performance } = globalThis;

/** Options of a system clock. */
export interface SystemClockOptions {
  /** Whether a pending timer keeps the process alive, as a sleep does. @default false */
  readonly keepAlive?: boolean;
  /** The source of random values. @default the random values of the system */
  readonly random?: Random;
}

/** The clock of the machine. A sleep keeps the process alive, because work continues after the sleep. */
export class SystemClock extends Clock {
  readonly #keepAlive: boolean;
  readonly #random: Random;

  constructor({ keepAlive = false, random = systemRandom }: SystemClockOptions = {}) {
    super();
    this.#random = random;
    this.#keepAlive = keepAlive;
  }

  override get random(): Random {
    return this.#random;
  }
  override now(): Date {
    return new Date();
  }
  override monotonicMs(): number {
    return performance.now();
  }
  override schedule(delayMs: number, callback: () => void): Timer {
    const due = performance.now() + delayMs;
    let handle: NodeJS.Timeout;
    const arm = (): void => {
      const left = due - performance.now();
      handle = setTimeout(left > LONGEST_TIMER_MS ? arm : callback, Math.min(Math.max(left, 0), LONGEST_TIMER_MS));
      if (!this.#keepAlive) handle.unref();
    };
    arm();
    return {
      cancel: () => {
        // Node.js has one list for all timers of the same duration. If an unreferenced timer is cleared, Node.js keeps the list in memory
        // until the duration has passed, so the timer is referenced first.
        handle.ref();
        clearTimeout(handle);
      },
    };
  }

  override sleep(delay: Duration, signal?: AbortSignal): Promise<void> {
    if (this.#keepAlive) return super.sleep(delay, signal);
    return new SystemClock({ keepAlive: true }).sleep(delay, signal);
  }
}
