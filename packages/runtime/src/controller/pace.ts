import type { Cause } from '../queue/cause.js';
import { addCause } from '../queue/causes.js';
import type { QueueItem } from '../queue/work-queue.js';

/** What is known of the pace of one object. */
interface Pacing {
  startedMs: number;
  /** Of the times that it was put off. */
  causes: Cause[];
}

/** How often one object is reconciled at most. */
export class Pace {
  readonly #minIntervalMs: number;
  readonly #objects = new Map<string, Pacing>();

  constructor(options: { readonly minIntervalMs: number | undefined }) {
    this.#minIntervalMs = options.minIntervalMs ?? 0;
  }

  /**
   * How long the object that was taken has to wait still, in milliseconds; 0 when it may run. Its causes are kept until it does.
   * `dampedMs` is how long something else keeps it.
   */
  waitMs({ key, causes }: QueueItem<string>, nowMs: number, dampedMs = 0): number {
    const pacing = this.#objects.get(key);
    const intervalMs = pacing === undefined ? 0 : pacing.startedMs + this.#minIntervalMs - nowMs;
    const waitMs = Math.max(0, intervalMs, dampedMs);
    if (waitMs > 0) for (const cause of causes) addCause(this.#pacing(key).causes, cause);
    return waitMs;
  }

  /** The run of an object begins: gives all the causes, those of the time that it waited first. */
  begin({ key, causes }: QueueItem<string>, nowMs: number): readonly Cause[] {
    const held = this.#objects.get(key)?.causes ?? [];
    if (this.#minIntervalMs > 0) this.#objects.set(key, { startedMs: nowMs, causes: [] });
    else this.#objects.delete(key);
    if (held.length === 0) return causes;
    for (const cause of causes) addCause(held, cause);
    return held;
  }

  /** The object is gone. */
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
