import type { Clock, Timer } from '@kubewright/api/clock';

/** The relative jitter of a period, which prevents simultaneous resyncs of informers that were opened together. */
const JITTER = 0.1;

/** Calls a function periodically, with jitter, until it is stopped. */
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
