import type { Clock } from '@kubewright/api/clock';
import { isNotFound } from '@kubewright/api/errors';
import { exponential } from '../../queue/delay-rule.js';
import { WorkQueue } from '../../queue/work-queue.js';
import { isProgrammingError } from '../reconciler/outcome.js';

/**
 * If this number of asynchronous jobs is running, `start` queues further jobs. `WORKERS` workers run the queued jobs and the retries, which
 * count as running jobs but do not wait for this limit.
 */
const MOST_AT_ONCE = 32;
const WORKERS = 16;
const RETRY_DELAY = exponential({ initial: '100ms', max: '1m' });

/** The calls of a mapper for one change or one item. */
export interface MapJob {
  /** The id of the changed object or of the item. Queued jobs with the same id are processed together. */
  readonly id: string;
  /** The calls of the mapper. They may return promises. */
  readonly calls: readonly (() => unknown)[];
  /** Receives the results of the successful calls, in the order of the calls. */
  readonly deliver: (answers: readonly unknown[]) => void;
  /** Called for each failed call. `again` is true if the call is retried. */
  readonly failed: (error: unknown, again: boolean) => void;
}

/**
 * Calls mappers. If a mapper rejects, for example because a request fails, calls the mapper again with back-off until it succeeds. Does not
 * retry a mapper that throws synchronously, has a programming error, or fails because an object is not found.
 */
export class Mapping {
  readonly #queue: WorkQueue<string>;
  readonly #jobs = new Map<string, MapJob[]>();
  readonly #onActivity: () => void;
  readonly #whenIdle: (() => void)[] = [];
  #active = 0;
  #isWorking = false;

  constructor(clock: Clock, onActivity: () => void) {
    this.#queue = new WorkQueue({ clock, delayRule: RETRY_DELAY });
    this.#onActivity = onActivity;
  }

  /** Returns the number of pending jobs, including retries that are due within `retriesWithinMs` milliseconds. */
  pending(retriesWithinMs = 0): number {
    return this.#active + this.#queue.pending(retriesWithinMs).length;
  }

  /**
   * Runs a job, or queues the job if too many jobs are running. If a call of the job is asynchronous, returns a promise that never rejects,
   * and resolves when the calls have ended, without waiting for retries. Otherwise, and for a queued job, returns undefined.
   */
  start(job: MapJob): Promise<void> | undefined {
    if (this.#active >= MOST_AT_ONCE) {
      this.#keep(job, false);
      return undefined;
    }
    return this.#make(job);
  }
  /** Resolves when no calls and retries are queued, or when the signal is aborted. */
  async idle(signal: AbortSignal): Promise<void> {
    if (this.#jobs.size === 0 && this.#queue.processing === 0) return;
    const ended = new Promise<void>((resolve) => {
      this.#whenIdle.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    if (!signal.aborted) await ended;
  }
  /** Discards all queued calls and retries, and accepts no more. */
  stop(): void {
    this.#jobs.clear();
    void this.#queue.shutDown();
  }

  #make(job: MapJob): Promise<void> | undefined {
    const answers = job.calls.map((call): unknown => {
      try {
        return call();
      } catch (error) {
        job.failed(error, false);
        return FAILED;
      }
    });
    if (answers.some(isPromise)) return this.#await(job, answers);
    job.deliver(answers.filter((answer) => answer !== FAILED));
    return undefined;
  }
  async #await(job: MapJob, answers: readonly unknown[]): Promise<void> {
    this.#active++;
    const settled = await Promise.allSettled(answers);
    this.#active--;
    const again: (() => unknown)[] = [];
    const values: unknown[] = [];
    settled.forEach((answer, at) => {
      const call = job.calls[at];
      if (answer.status === 'fulfilled') {
        if (answer.value !== FAILED) values.push(answer.value);
      } else if (call !== undefined) {
        const helps = !isProgrammingError(answer.reason) && !isNotFound(answer.reason) && !this.#queue.shuttingDown;
        if (helps) again.push(call);
        job.failed(answer.reason, helps);
      }
    });
    job.deliver(values);
    if (again.length > 0) this.#keep({ ...job, calls: again }, true);
    this.#onActivity();
  }

  #keep(job: MapJob, rateLimited: boolean): void {
    if (this.#queue.shuttingDown) return;
    const jobs = this.#jobs.get(job.id);
    if (jobs === undefined) this.#jobs.set(job.id, [job]);
    else jobs.push(job);
    this.#queue.add(job.id, { rateLimited });
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (let worker = 0; worker < WORKERS; worker++) void this.#work();
  }
  async #work(): Promise<void> {
    for (let item = await this.#queue.get(); item !== undefined; item = await this.#queue.get()) {
      const jobs = this.#jobs.get(item.key) ?? [];
      this.#jobs.delete(item.key);
      for (const job of jobs) await this.#make(job);
      if (!this.#jobs.has(item.key)) this.#queue.forget(item.key);
      this.#queue.done(item.key);
      if (this.#jobs.size === 0 && this.#queue.processing === 0)
        for (const resolve of this.#whenIdle.splice(0)) resolve();
      this.#onActivity();
    }
  }
}

/** The placeholder for the result of a call that threw an error synchronously. */
const FAILED: unique symbol = Symbol('failed');

function isPromise(answer: unknown): answer is PromiseLike<unknown> {
  return typeof (answer as PromiseLike<unknown> | undefined | null)?.then === 'function';
}
