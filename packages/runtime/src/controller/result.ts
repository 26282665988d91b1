import { type Duration, durationMs } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';

/** How an object comes again. */
export interface AgainOptions {
  /** Objects of a higher number go first. @default that with which the object came */
  readonly priority?: number;
}

/** How an object comes again after a delay. */
export interface DelayOptions extends AgainOptions {
  /**
   * The fraction of the delay by which the reconcile may start earlier, from 0 to 1. Each time, the controller draws how much earlier
   * it starts, so that many objects with the same delay do not come at once. With 0.1, `1m` becomes 54 s to 60 s. @default 0
   */
  readonly jitter?: number;
}

/**
 * What to do with the object next. The newest result replaces every timer that an older one set; an event, or the controller's
 * `every`, may bring the object back sooner. In order of strength: a thrown error, then the result, then `every`.
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
  /** The moment of `requeueAt`. */
  readonly moment: Date | undefined;
  /** The priority with which the object comes again; undefined for the one with which it came. */
  readonly priority: number | undefined;
  /** The fraction of the delay by which the object may come earlier. */
  readonly jitter: number;

  private constructor(
    kind: Result['kind'],
    again: DelayOptions & { readonly delayMs?: number; readonly moment?: Date } = {},
  ) {
    const { priority, jitter = 0 } = again;
    if (priority !== undefined && !Number.isSafeInteger(priority)) {
      throw new KubewrightError('INVALID_PRIORITY', `a result was given the priority ${priority}: pass a whole number`);
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new KubewrightError('INVALID_JITTER', `a result was given the jitter ${jitter}: pass a number from 0 to 1`);
    }
    this.kind = kind;
    this.jitter = jitter;
    this.delayMs = again.delayMs;
    this.moment = again.moment;
    this.priority = priority;
    Object.freeze(this);
  }

  /** Nothing more to do until something changes. Forgets earlier failures. */
  static done(): Result {
    return Result.#done;
  }
  /** Again, with back-off, without calling it an error. Throws INVALID_PRIORITY. */
  static requeue(options?: AgainOptions): Result {
    return options === undefined ? Result.#requeue : new Result('requeue', options);
  }
  /**
   * Again after the delay at the latest, and up to the fraction `jitter` of it earlier. Forgets earlier failures. Throws
   * INVALID_DURATION, INVALID_PRIORITY and INVALID_JITTER.
   *
   * @example
   * return Result.requeueAfter('1m', { jitter: 0.2 }); // after 48 s to 60 s
   */
  static requeueAfter(delay: Duration, options: DelayOptions = {}): Result {
    return new Result('requeueAfter', { ...options, delayMs: durationMs(delay) });
  }
  /** Again at that moment of the injected clock; a moment in the past means now. Throws INVALID_DATE and INVALID_PRIORITY. */
  static requeueAt(moment: Date, options: AgainOptions = {}): Result {
    if (Number.isNaN(moment.getTime())) {
      throw new KubewrightError('INVALID_DATE', 'Result.requeueAt was given an invalid Date: pass a moment in time');
    }
    return new Result('requeueAt', { ...options, moment: new Date(moment) });
  }
}
