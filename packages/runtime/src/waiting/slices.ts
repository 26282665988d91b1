import { workTimeMs } from '@kubewright/api/clock';
import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 4;

/** Divides long synchronous work into time slices, so that the event loop can process requests and timers in between. */
export class Slices {
  #until = workTimeMs() + SLICE_MS;

  /** Whether the time of the current slice has passed. */
  get isOver(): boolean {
    return workTimeMs() >= this.#until;
  }

  /** Lets the event loop process other work, and starts the next slice. */
  async next(): Promise<void> {
    await setImmediate();
    this.#until = workTimeMs() + SLICE_MS;
  }
}
