import type { Clock, Timer } from '@kubewright/api/clock';

/** The fraction by which each period varies, so that informers that were opened together do not resync together. */
const JITTER = 0.1;

/** Calls a function periodically until it is stopped. The periods vary randomly. */
export class Resync {
  readonly #clock: Clock;
  readonly #periodMs: number;
  readonly #random: () => number;
  readonly #replay: () => void;
  #timer: Timer;

  constructor(
    periodMs: number,
    using: { readonly clock: Clock; readonly random: () => number; readonly replay: () => void },
  ) {
    this.#periodMs = periodMs;
    this.#clock = using.clock;
    this.#random = using.random;
    this.#replay = using.replay;
    this.#timer = this.#next();
  }

  stop(): void {
    this.#timer.cancel();
  }

  #next(): Timer {
    const jitter = 1 + JITTER * (2 * this.#random() - 1);
    return this.#clock.schedule(Math.round(this.#periodMs * jitter), () => {
      this.#timer = this.#next();
      this.#replay();
    });
  }
}
