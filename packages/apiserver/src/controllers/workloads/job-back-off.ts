import type { ApiObject } from '../../registry/json-object.js';
import { endedAtMs } from './job-pods.js';

const firstMs = 10_000;
const longestMs = 600_000;

/** How often the Pods of a Job have failed since one succeeded, and when the last did. */
interface Failures {
  readonly count: number;
  readonly lastMs: number;
}

/** Makes a Job whose Pods fail wait before it gets new ones, twice as long each time. */
export class JobBackOff {
  readonly #failures = new Map<string, Failures>();

  /** Takes in Pods that have ended since the last call. */
  count(key: string, ended: { readonly succeeded: readonly ApiObject[]; readonly failed: readonly ApiObject[] }): void {
    const known = this.#failures.get(key) ?? { count: 0, lastMs: 0 };
    const lastMs = ended.failed.reduce((last, pod) => Math.max(last, endedAtMs(pod)), known.lastMs);
    if (ended.succeeded.length === 0) {
      this.#failures.set(key, { count: known.count + ended.failed.length, lastMs });
      return;
    }
    const success = ended.succeeded.reduce((last, pod) => Math.max(last, endedAtMs(pod)), -Infinity);
    const since = ended.failed.filter((pod) => endedAtMs(pod) > success).length;
    this.#failures.set(key, { count: since, lastMs });
  }

  /** Milliseconds until the Job may have another Pod. */
  remainingMs(key: string, now: Date): number {
    const known = this.#failures.get(key);
    if (known === undefined || known.count === 0) return 0;
    const waitMs = Math.min(firstMs * 2 ** (known.count - 1), longestMs);
    return Math.max(0, known.lastMs + waitMs - now.getTime());
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }
}
