import { RecentEntries } from './recent-entries.js';

const BURST = 25;
const REFILL_MS = 300_000;
const MOST_OBJECTS = 4096;

/** Limits the number of events per object to 25 at once, and one more every five minutes. */
export class SpamBudget {
  readonly #buckets = new RecentEntries<{ readonly tokens: number; readonly atMs: number }>(MOST_OBJECTS);

  /** Returns whether another event of the object may be sent. If so, reduces the budget of the object. */
  take(object: string, nowMs: number): boolean {
    const bucket = this.#buckets.get(object) ?? { tokens: BURST, atMs: nowMs };
    const tokens = Math.min(BURST, bucket.tokens + (nowMs - bucket.atMs) / REFILL_MS);
    const allowed = tokens >= 1;
    this.#buckets.set(object, { tokens: allowed ? tokens - 1 : tokens, atMs: nowMs });
    return allowed;
  }
}
