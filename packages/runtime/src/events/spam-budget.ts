import { RecentEntries } from './recent-entries.js';

const BURST = 25;
const REFILL_MS = 300_000;
const MOST_OBJECTS = 4096;

/** How many events an object may still cause: 25 at once, and one more every five minutes. */
export class SpamBudget {
  readonly #buckets = new RecentEntries<{ readonly tokens: number; readonly atMs: number }>(MOST_OBJECTS);

  /** Whether one more event of the object may be sent; if so, it is counted. */
  take(object: string, nowMs: number): boolean {
    const bucket = this.#buckets.get(object) ?? { tokens: BURST, atMs: nowMs };
    const tokens = Math.min(BURST, bucket.tokens + (nowMs - bucket.atMs) / REFILL_MS);
    const allowed = tokens >= 1;
    this.#buckets.set(object, { tokens: allowed ? tokens - 1 : tokens, atMs: nowMs });
    return allowed;
  }
}
