import type { DelayRule } from '../../queue/delay-rule.js';
import type { QueueAddOptions, QueueItem, WorkQueue } from '../../queue/work-queue.js';
import type { ControllerDependencies } from './controller-dependencies.js';
import { type Failure, nextRun, type Outcome } from '../reconciler/outcome.js';
import type { ResolvedControllerOptions } from '../options/resolved-options.js';

/** The maximum fraction by which `every` is shortened, so that objects that were created together are reconciled at different times. */
const JITTER = 0.1;

/** The dependencies of a `RetrySchedule`. */
export interface RetryScheduleOptions {
  readonly options: Pick<ResolvedControllerOptions, 'everyMs' | 'maxAttempts' | 'byKey'>;
  readonly dependencies: Pick<ControllerDependencies, 'clock' | 'random'>;
  readonly queue: WorkQueue<string>;
  /** The delays after consecutive conflicts of one key. */
  readonly delayRule: DelayRule;
  /** Called when the state of a key can be released. */
  readonly forget: (id: string) => void;
}

/** Counts the failures and conflicts of each key, and requeues keys after their runs. */
export class RetrySchedule {
  readonly #using: RetryScheduleOptions;
  readonly #failures = new Map<string, number>();
  /**
   * The number of consecutive conflicts by key. Counts only conflicts in runs that an event triggered while a retry of the key was pending.
   */
  readonly #conflicts = new Map<string, number>();

  constructor(using: RetryScheduleOptions) {
    this.#using = using;
  }

  /** Returns the number of the next attempt: 1 plus the number of consecutive failed attempts. */
  attemptOf(id: string): number {
    return (this.#failures.get(id) ?? 0) + 1;
  }
  /**
   * Counts a failure, and returns it with the number of the attempt and with `lastAttempt`. After the last attempt, resets the count. Does
   * not count a run that an event triggered while a retry was pending.
   */
  failed({ key, retry }: QueueItem<string>, attempt: number, { error, terminal }: Failure): Failure {
    const usedUp = retry === undefined && attempt >= this.#using.options.maxAttempts;
    if (usedUp) this.#failures.delete(key);
    else if (retry === undefined) this.#failures.set(key, attempt);
    return { kind: 'error', error, terminal, attempt, lastAttempt: usedUp || terminal !== undefined };
  }
  /** Resets the count after a run without a failure. */
  succeeded(id: string): void {
    this.#failures.delete(id);
  }

  /**
   * Requeues the key or releases its state, depending on the outcome. Replaces the requeue of an earlier outcome. A pending retry keeps its
   * time if the key is requeued with back-off.
   */
  settle(item: QueueItem<string>, outcome: Outcome): void {
    const { options, dependencies, queue, forget } = this.#using;
    const { everyMs } = options;
    const { clock, random } = dependencies;
    const jittered = everyMs === undefined ? undefined : everyMs * (1 - JITTER * random());
    const next = nextRun(outcome, jittered, { now: clock.now(), random });
    if (next.forget) queue.forget(item.key);
    if (outcome.kind !== 'conflict') this.#conflicts.delete(item.key);
    // A controller of keys has no objects that can be deleted. The state of a key is therefore released when the key is not requeued.
    if (outcome.kind === 'forgotten' || (options.byKey && next.add === undefined)) forget(item.key);
    if (next.add !== undefined) this.#again(item, outcome, { priority: item.priority, ...next.add });
  }
  /** Requeues the key. If an event triggered the failed run while a retry was pending, does not change the time of the retry. */
  #again(item: QueueItem<string>, outcome: Outcome, add: QueueAddOptions): void {
    const { queue, delayRule } = this.#using;
    const keepsRetry = add.rateLimited === true && item.retry !== undefined;
    if (!keepsRetry) return queue.add(item.key, add);
    queue.resumeRetry(item);
    if (outcome.kind !== 'conflict') return;
    const conflicts = this.#conflicts.get(item.key) ?? 0;
    this.#conflicts.set(item.key, conflicts + 1);
    queue.add(item.key, { ...add, rateLimited: false, after: delayRule(conflicts) });
  }
}
