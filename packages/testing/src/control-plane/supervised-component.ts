import { type Clock, SystemClock } from '@kubewright/api/clock';
import type { Component } from './component.js';

/** The restart options of a program. */
export interface SupervisedComponentOptions {
  /** Starts the program again. */
  readonly start: () => Component;
  /** The delay in milliseconds before a program that ended is restarted. @default 25 */
  readonly pauseMs?: number;
  /** @default new SystemClock() */
  readonly clock?: Clock;
}

/** Restarts a program of a control plane after a delay whenever the program ends, as a kubelet does. */
export class SupervisedComponent {
  readonly #start: () => Component;
  readonly #pauseMs: number;
  readonly #clock: Clock;
  readonly #supervision: Promise<void>;
  #component: Component;
  #isStopping = false;

  constructor(component: Component, { start, pauseMs = 25, clock = new SystemClock() }: SupervisedComponentOptions) {
    this.#component = component;
    this.#start = start;
    this.#pauseMs = pauseMs;
    this.#clock = clock;
    this.#supervision = this.#supervise();
  }

  /** Does nothing. `Component.check` throws if the program has ended, but this class restarts the program. */
  check(): void {}

  /** Stops the program permanently. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#component.stop();
    await this.#supervision;
  }

  async #supervise(): Promise<void> {
    for (;;) {
      await this.#component.ended;
      if (!this.#isStopping) await this.#clock.sleep(`${this.#pauseMs}ms`);
      if (this.#isStopping) return;
      this.#component = this.#start();
    }
  }
}
