import type { Cause } from '../queue/cause.js';
import { addCause } from '../queue/causes.js';
import type { QueueItem } from '../queue/work-queue.js';

/** The start of the last run of an object, and the causes that wait for the next run. */
interface Pacing {
  startedMs: number;
  /** The causes of runs that were delayed. */
  causes: Cause[];
}

/** Enforces the minimum interval between reconciles of the same object. */
export class Pace {
  readonly #minIntervalMs: number;
  readonly #objects = new Map<string, Pacing>();

  constructor(options: { readonly minIntervalMs: number | undefined }) {
    this.#minIntervalMs = options.minIntervalMs ?? 0;
  }

  /**
   * Returns the remaining delay of an object in milliseconds. Returns 0 if the object may run now. If the object is delayed, stores the
   * causes for its next run. `dampedMs` is the remaining delay because of a hot loop.
   */
  waitMs({ key, causes }: QueueItem<string>, nowMs: number, dampedMs = 0): number {
    const pacing = this.#objects.get(key);
    const intervalMs = pacing === undefined ? 0 : pacing.startedMs + this.#minIntervalMs - nowMs;
    const waitMs = Math.max(0, intervalMs, dampedMs);
    if (waitMs > 0) for (const cause of causes) addCause(this.#pacing(key).causes, cause);
    return waitMs;
  }

  /** Records the start of a run. Returns all causes of the run, with the stored causes of delayed runs first. */
  begin({ key, causes }: QueueItem<string>, nowMs: number): readonly Cause[] {
    const held = this.#objects.get(key)?.causes ?? [];
    if (this.#minIntervalMs > 0) this.#objects.set(key, { startedMs: nowMs, causes: [] });
    else this.#objects.delete(key);
    if (held.length === 0) return causes;
    for (const cause of causes) addCause(held, cause);
    return held;
  }

  /** Releases the state of a deleted object. */
  forget(id: string): void {
    this.#objects.delete(id);
  }

  #pacing(id: string): Pacing {
    const known = this.#objects.get(id);
    if (known !== undefined) return known;
    const pacing: Pacing = { startedMs: Number.NEGATIVE_INFINITY, causes: [] };
    this.#objects.set(id, pacing);
    return pacing;
  }
}
