import type { ApiObject } from '../../../registry/objects/api-object.js';
import { endedAtMs } from './job-pods.js';

const firstMs = 10_000;
const longestMs = 600_000;

/** Returns the milliseconds until a new Pod can be created after `count` failures. `lastMs` is the time of the last failure. */
export function remainingBackOffMs(
  { count, lastMs }: { readonly count: number; readonly lastMs: number },
  now: Date,
): number {
  if (count === 0) return 0;
  const waitMs = Math.min(firstMs * 2 ** (count - 1), longestMs);
  return Math.max(0, lastMs + waitMs - now.getTime());
}

/** The number of Pod failures of a Job since the last success, and the time of the last failure. */
interface Failures {
  readonly count: number;
  readonly lastMs: number;
  /** The UIDs of the failed Pods of the last call. The next call can contain the same Pods. */
  readonly uids: ReadonlySet<string>;
}

/**
 * Delays new Pods of a Job after Pod failures: by 10 s after the first failure, and by twice the last delay after each later failure, up to
 * 10 minutes.
 */
export class JobBackOff {
  readonly #failures = new Map<string, Failures>();

  /**
   * Counts the failed Pods in `ended`, which contains the ended Pods that the status of the Job does not count yet. If Pods have succeeded,
   * counts only failures after the last success. Does not count a failed Pod that the previous call has already counted.
   */
  count(key: string, ended: { readonly succeeded: readonly ApiObject[]; readonly failed: readonly ApiObject[] }): void {
    const known = this.#failures.get(key) ?? { count: 0, lastMs: 0, uids: new Set() };
    const lastMs = ended.failed.reduce((last, pod) => Math.max(last, endedAtMs(pod)), known.lastMs);
    const uids = new Set(ended.failed.map(({ metadata }) => metadata.uid));
    if (ended.succeeded.length === 0) {
      const fresh = [...uids].filter((uid) => !known.uids.has(uid));
      this.#failures.set(key, { count: known.count + fresh.length, lastMs, uids });
      return;
    }
    const success = ended.succeeded.reduce((last, pod) => Math.max(last, endedAtMs(pod)), -Infinity);
    const since = ended.failed.filter((pod) => endedAtMs(pod) > success).length;
    this.#failures.set(key, { count: since, lastMs, uids });
  }

  /** Returns the milliseconds until the Job can create another Pod. */
  remainingMs(key: string, now: Date): number {
    const known = this.#failures.get(key);
    return known === undefined ? 0 : remainingBackOffMs(known, now);
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }
}
