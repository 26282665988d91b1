import { failure } from '../requests/status-errors.js';

/** The options of `WorkerSlots`. */
export interface WorkerSlotsOptions {
  /** The maximum number of threads that work at the same time. @default 2 */
  readonly slots?: number;
  /** The maximum number of requests that wait for a thread. @default 100 */
  readonly mostWaiting?: number;
}

/** A request that waits for a thread. */
interface Waiting {
  readonly isAbandoned: () => boolean;
  readonly start: () => void;
  readonly reject: (error: unknown) => void;
}

/** Limits the number of threads that work for requests at the same time. Other requests wait in the order of their arrival. */
export class WorkerSlots {
  readonly #mostWaiting: number;
  #free: number;
  #waiting: Waiting[] = [];

  constructor({ slots = 2, mostWaiting = 100 }: WorkerSlotsOptions = {}) {
    this.#free = slots;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Runs work that uses a thread until the promise of the work settles. Rejects with 429 if too many requests wait. If no caller waits for
   * the result any more, the work does not start, and the returned promise rejects.
   *
   * @param isAbandoned returns whether no caller waits for the result
   */
  async run<T>(work: () => Promise<T>, isAbandoned: () => boolean): Promise<T> {
    await this.#slot(isAbandoned);
    try {
      return await work();
    } finally {
      this.#free += 1;
      this.#startNext();
    }
  }

  #slot(isAbandoned: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#removeAbandoned();
      if (this.#free > 0) {
        this.#free -= 1;
        return resolve();
      }
      if (this.#waiting.length >= this.#mostWaiting) return reject(tooManyRequests());
      this.#waiting.push({ isAbandoned, start: resolve, reject });
    });
  }

  #startNext(): void {
    this.#removeAbandoned();
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#free -= 1;
    next.start();
  }

  #removeAbandoned(): void {
    this.#waiting = this.#waiting.filter(({ isAbandoned, reject }) => {
      if (!isAbandoned()) return true;
      reject(new Error('the client closed the request before a thread was available'));
      return false;
    });
  }
}

function tooManyRequests(): Error {
  const message = 'too many requests, please try again later';
  return failure(429, 'TooManyRequests', { message, details: { retryAfterSeconds: 1 } });
}

/** The slots for worker threads. All servers of a process share these slots. */
export const workerSlots = new WorkerSlots();
