import { type Duration, durationMs } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';

/**
 * What to do with the object next. The newest result replaces every timer that an older one set; an event, or the controller's
 * `every`, may bring the object back sooner. In order of strength: a thrown error, then the result, then `every`.
 */
export class Result {
  static readonly #done = new Result('done');
  static readonly #requeue = new Result('requeue');

  readonly kind: 'done' | 'requeue' | 'requeueAfter' | 'requeueAt';
  /** The delay of `requeueAfter`, in milliseconds. */
  readonly delayMs: number | undefined;
  /** The moment of `requeueAt`. */
  readonly moment: Date | undefined;

  private constructor(kind: Result['kind'], when: { readonly delayMs?: number; readonly moment?: Date } = {}) {
    this.kind = kind;
    this.delayMs = when.delayMs;
    this.moment = when.moment;
    Object.freeze(this);
  }

  /** Nothing more to do until something changes. Forgets earlier failures. */
  static done(): Result {
    return Result.#done;
  }
  /** Again, with back-off, without calling it an error. */
  static requeue(): Result {
    return Result.#requeue;
  }
  /** Again after the delay at the latest. Forgets earlier failures. Throws INVALID_DURATION. */
  static requeueAfter(delay: Duration): Result {
    return new Result('requeueAfter', { delayMs: durationMs(delay) });
  }
  /** Again at that moment of the injected clock; a moment in the past means now. Throws INVALID_DATE. */
  static requeueAt(moment: Date): Result {
    if (Number.isNaN(moment.getTime())) {
      throw new KubewrightError('INVALID_DATE', 'Result.requeueAt was given an invalid Date: pass a moment in time');
    }
    return new Result('requeueAt', { moment: new Date(moment) });
  }
}
