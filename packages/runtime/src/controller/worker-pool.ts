import { AsyncResource } from 'node:async_hooks';
import type { ControllerMetrics } from '../metrics/controller-metrics.js';
import type { QueueItem, WorkQueue } from '../queue/work-queue.js';
import { withFence, type WriteFence } from '../transport/request/write-fence.js';
import type { ReconcileRun } from './runs/reconcile-run.js';

/** A run that a worker started. */
export interface StartedRun {
  readonly run: ReconcileRun;
  /** Resolves when the run has ended. Never rejects. */
  readonly ended: Promise<void>;
}

/** The dependencies of a `WorkerPool`. */
export interface WorkerPoolOptions {
  readonly concurrency: number;
  readonly queue: WorkQueue<string>;
  readonly metrics: Pick<ControllerMetrics, 'concurrency'>;
  /** Checks before each write of a run whether the controller may still write. */
  readonly fence: WriteFence | undefined;
  /** Requeues a key whose run is delayed by `minInterval` or by a hot loop. Returns whether the key was requeued. */
  readonly putOff: (item: QueueItem<string>) => boolean;
  /** Starts the run of a key. */
  readonly begin: (item: QueueItem<string>) => StartedRun;
}

/** The workers of one controller. Each worker takes a key from the queue, starts a run, and waits until the run has ended or is overdue. */
export class WorkerPool {
  /**
   * Resolves if reconciles still run after `stop` and all of them have ignored their aborted signal for 5 s. Never resolves if all
   * reconciles end.
   */
  readonly stuck: Promise<void>;
  readonly #using: WorkerPoolOptions;
  /** The runs that have not ended, with the promises that resolve at their end. */
  readonly #running = new Map<ReconcileRun, Promise<void>>();
  /** The running runs for which no worker waits, because they ignore their aborted signal. */
  readonly #overdue = new Set<ReconcileRun>();
  #becomeStuck: () => void = () => undefined;
  #concurrency: number;
  #workers = 0;
  #started = false;
  #stopping = false;

  constructor(using: WorkerPoolOptions) {
    this.#using = using;
    this.#concurrency = using.concurrency;
    this.stuck = new Promise((resolve) => {
      this.#becomeStuck = resolve;
    });
  }

  /** Starts the workers. */
  start(): void {
    this.#started = true;
    this.resize(this.#concurrency);
  }
  /** Sets the maximum number of concurrent runs. Does not interrupt running runs. */
  resize(concurrency: number): void {
    this.#concurrency = concurrency;
    this.#using.metrics.concurrency(concurrency);
    this.#using.queue.dismiss(Math.max(0, this.#workers - concurrency));
    this.#fill();
  }
  /** Shuts down the queue and does not start further runs. Resolves when all runs have ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#using.queue.shutDown();
    this.#checkStuck();
    await Promise.all(this.#running.values());
  }

  /**
   * Starts workers until the maximum number of concurrent runs is reached. Workers do not inherit the asynchronous context of the caller,
   * which can be a run.
   */
  readonly #fill = AsyncResource.bind((): void => {
    if (!this.#started || this.#stopping) return;
    for (; this.#workers < this.#concurrency; this.#workers++) void this.#work();
  });
  /**
   * Runs one worker. The worker stops when the queue is shut down, or when there are more workers than the maximum number of concurrent
   * runs.
   */
  async #work(): Promise<void> {
    const { queue, fence, putOff, begin } = this.#using;
    while (this.#workers <= this.#concurrency) {
      const item = queue.take() ?? (await queue.get());
      if (item === undefined) break;
      if (putOff(item)) continue;
      const { run, ended } = withFence(fence, () => begin(item));
      this.#running.set(run, ended);
      run.limit.onOverdue = () => this.#release(run);
      await ended;
      this.#running.delete(run);
      if (this.#stopping) this.#checkStuck();
      // Another worker has replaced this worker.
      if (this.#overdue.delete(run)) return;
    }
    this.#workers--;
    this.#fill();
  }
  /** Starts another worker instead of the worker that waits for an overdue run. */
  #release(run: ReconcileRun): void {
    if (!this.#running.has(run) || this.#overdue.has(run)) return;
    this.#overdue.add(run);
    run.context.log.error('reconcile ignores its aborted signal; the controller no longer waits for the reconcile');
    this.#workers--;
    this.#fill();
    if (this.#stopping) this.#checkStuck();
  }
  #checkStuck(): void {
    if (this.#running.size > 0 && this.#overdue.size === this.#running.size) this.#becomeStuck();
  }
}
