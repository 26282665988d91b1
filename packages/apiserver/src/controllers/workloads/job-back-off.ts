import type { ApiObject } from '../../registry/json-object.js';
import { endedAtMs } from './job-pods.js';

const firstMs = 10_000;
const longestMs = 600_000;

/** How often the Pods of a Job have failed since one succeeded, and when the last did. */
interface Failures {
  readonly count: number;
  readonly lastMs: number;
  /** The uids of the failed Pods of the last call, which the next call may contain again. */
  readonly uids: ReadonlySet<string>;
}

/** Makes a Job whose Pods fail wait before it gets new ones, twice as long each time. */
export class JobBackOff {
  readonly #failures = new Map<string, Failures>();

  /** Takes in the Pods that have ended and are not yet counted in the status. A call counts each failed Pod of the call before it only once. */
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
