import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 4;

/** Keeps long work from holding up requests and timers: work a while, let others work, go on. */
export class Slices {
  #until = performance.now() + SLICE_MS;

  /** Whether this slice is used up. */
  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Lets others work, and starts the next slice. */
  async next(): Promise<void> {
    await setImmediate();
    this.#until = performance.now() + SLICE_MS;
  }
}
