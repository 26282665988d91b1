import { type Clock, SystemClock } from '@kubewright/api/clock';
import type { Component } from './component.js';

/** How a program is kept. */
export interface KeptComponentOptions {
  /** Starts it again. */
  readonly start: () => Component;
  /** How long it stays down after it has ended itself, in milliseconds. @default 25 */
  readonly pauseMs?: number;
  /** @default new SystemClock() */
  readonly clock?: Clock;
}

/** A program of a control plane that is started again, after a moment, whenever it ends itself, as a kubelet would. */
export class KeptComponent {
  readonly #start: () => Component;
  readonly #pauseMs: number;
  readonly #clock: Clock;
  readonly #keeping: Promise<void>;
  #component: Component;
  #isStopping = false;

  constructor(component: Component, { start, pauseMs = 25, clock = new SystemClock() }: KeptComponentOptions) {
    this.#component = component;
    this.#start = start;
    this.#pauseMs = pauseMs;
    this.#clock = clock;
    this.#keeping = this.#keep();
  }

  /** Never throws: a program that has ended comes back. */
  check(): void {}

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#component.stop();
    await this.#keeping;
  }

  async #keep(): Promise<void> {
    for (;;) {
      await this.#component.ended;
      if (!this.#isStopping) await this.#clock.sleep(`${this.#pauseMs}ms`);
      if (this.#isStopping) return;
      this.#component = this.#start();
    }
  }
}
