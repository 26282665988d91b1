import { type Duration, durationMs } from '@kubewright/api/clock';
import { KubewrightError, valueText } from '@kubewright/api/errors';

/** The options of `Result.requeue` and `Result.requeueAt`. */
export interface AgainOptions {
  /**
   * The priority of the next run. Objects with a higher priority are reconciled first. @default the priority with which the object was
   * queued
   */
  readonly priority?: number;
}

/** The options of `Result.requeueAfter`. */
export interface DelayOptions extends AgainOptions {
  /**
   * The fraction of the delay, from 0 to 1, by which the next run may start earlier. The fraction is random, so that objects with the same
   * delay do not all start at once. With 0.1, a delay of `1m` becomes 54 s to 60 s. @default 0
   */
  readonly jitter?: number;
}

/**
 * The result of a reconcile. Determines when the object is reconciled again, and replaces the requeue of an earlier result. An event or the
 * `every` option of the controller can trigger a reconcile earlier. If the reconcile throws an error, the back-off determines the time
 * instead.
 *
 * @example
 * return isReady(pod) ? Result.done() : Result.requeueAfter('1m');
 */
export class Result {
  static readonly #done = new Result('done');
  static readonly #requeue = new Result('requeue');

  readonly kind: 'done' | 'requeue' | 'requeueAfter' | 'requeueAt';
  /** The delay of `requeueAfter`, in milliseconds. */
  readonly delayMs: number | undefined;
  /** The time that was passed to `requeueAt`. */
  readonly moment: Date | undefined;
  /** The priority of the next run. Undefined for the priority with which the object was queued. */
  readonly priority: number | undefined;
  /** The fraction of the delay by which the next run may start earlier. */
  readonly jitter: number;

  private constructor(
    kind: Result['kind'],
    again: DelayOptions & { readonly delayMs?: number; readonly moment?: Date } = {},
  ) {
    const { priority, jitter = 0 } = again;
    if (priority !== undefined && !Number.isSafeInteger(priority)) {
      throw new KubewrightError(
        'INVALID_PRIORITY',
        `invalid priority ${valueText(priority)} of a result: pass an integer`,
      );
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new KubewrightError(
        'INVALID_JITTER',
        `invalid jitter ${valueText(jitter)} of a result: pass a number from 0 to 1`,
      );
    }
    this.kind = kind;
    this.jitter = jitter;
    this.delayMs = again.delayMs;
    this.moment = again.moment;
    this.priority = priority;
    Object.freeze(this);
  }

  /** Returns a result that does not requeue the object. The object is reconciled again when it changes. Resets the back-off. */
  static done(): Result {
    return Result.#done;
  }
  /** Returns a result that requeues the object with back-off. Does not report an error. Throws INVALID_PRIORITY. */
  static requeue(options?: AgainOptions): Result {
    return options === undefined ? Result.#requeue : new Result('requeue', options);
  }
  /**
   * Returns a result that requeues the object after the delay, or earlier by up to the fraction `jitter` of the delay. Resets the back-off.
   * Throws INVALID_DURATION, INVALID_PRIORITY and INVALID_JITTER.
   *
   * @example
   * return Result.requeueAfter('1m', { jitter: 0.2 }); // after 48 s to 60 s
   */
  static requeueAfter(delay: Duration, options: DelayOptions = {}): Result {
    return new Result('requeueAfter', { ...options, delayMs: durationMs(delay) });
  }
  /**
   * Returns a result that requeues the object at the given time of the manager's clock, or immediately if this time is in the past. Throws
   * INVALID_DATE and INVALID_PRIORITY.
   */
  static requeueAt(moment: Date, options: AgainOptions = {}): Result {
    if (Number.isNaN(moment.getTime())) {
      throw new KubewrightError('INVALID_DATE', 'Result.requeueAt received an invalid Date: pass a valid Date');
    }
    return new Result('requeueAt', { ...options, moment: new Date(moment) });
  }
}
