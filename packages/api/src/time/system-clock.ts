import { Clock, type Timer } from './clock.js';
import type { Duration } from './duration.js';

/** The longest timer of Node.js. A longer timer would fire immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Options of a system clock. */
export interface SystemClockOptions {
  /** Whether a pending timer keeps the process alive, as a sleep does. @default false */
  readonly keepAlive?: boolean;
}

/** The clock of the machine. A sleep keeps the process alive, because work continues after the sleep. */
export class SystemClock extends Clock {
  readonly #keepAlive: boolean;

  constructor({ keepAlive = false }: SystemClockOptions = {}) {
    super();
    this.#keepAlive = keepAlive;
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
        // When an unreferenced timer is cleared, Node.js keeps its list of timers of the same duration until the duration has passed.
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
