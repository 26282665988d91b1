import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 4;

/** Divides long synchronous work into slices, so that the event loop can process requests and timers between them. */
export class Slices {
  #until = performance.now() + SLICE_MS;

  /** Whether the current slice has used its time. */
  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Yields to the event loop, and starts the next slice. */
  async next(): Promise<void> {
    await setImmediate();
    this.#until = performance.now() + SLICE_MS;
  }
}
