const BURST = 25;
const REFILL_MS = 300_000;
const MOST_OBJECTS = 4096;

/** How many events an object may still cause: 25 at once, and one more every five minutes. */
export class SpamBudget {
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();

  /** Whether one more event of the object may be sent; if so, it is counted. */
  take(object: string, nowMs: number): boolean {
    const bucket = this.#buckets.get(object) ?? { tokens: BURST, atMs: nowMs };
    const tokens = Math.min(BURST, bucket.tokens + (nowMs - bucket.atMs) / REFILL_MS);
    const allowed = tokens >= 1;
    this.#buckets.delete(object);
    this.#buckets.set(object, { tokens: allowed ? tokens - 1 : tokens, atMs: nowMs });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MOST_OBJECTS && oldest !== undefined) this.#buckets.delete(oldest);
    return allowed;
  }
}
