import { type Clock, SystemClock } from '@kubewright/api/clock';
import { isConflict, KubewrightError } from '@kubewright/api/errors';

/** How often, and with which waits, `retryOnConflict` tries. */
export interface RetryOnConflictOptions {
  /** How often it is tried in all. @default 5 */
  readonly attempts?: number;
  /** The wait before the second attempt, in milliseconds; a tenth of it is added at random. @default 10 */
  readonly delayMs?: number;
  /** By how much each wait is longer than the one before. @default 1 */
  readonly factor?: number;
  /** Ends the waits. @default none */
  readonly signal?: AbortSignal | undefined;
  /** @default the time of this machine */
  readonly clock?: Clock;
  /** A number from 0 up to 1. @default Math.random */
  readonly random?: () => number;
}

/**
 * Does something again that somebody else's write got in the way of. It has to read the object anew each time. Rejects with the error
 * of the last attempt: the conflict itself when there are no attempts left, any other error at once. When the signal is aborted, rejects
 * with its reason. Rejects with INVALID_OPTION for options out of range.
 *
 * A patch by draft (`client.patch(object, (draft) => …)`) mostly needs none of this: it sends what was changed and nothing else, so
 * that it conflicts with nobody. This is for writes that depend on what they read, such as a counter, and for `client.update`.
 *
 * @example
 * await retryOnConflict(async () => {
 *   const lottery = await client.live.get(ConfigMap, { namespace: 'default', name: 'lottery' });
 *   await client.update({ ...lottery, data: { next: String(Number(lottery.data?.next ?? 0) + 1) } });
 * });
 */
export async function retryOnConflict<T>(attempt: () => Promise<T>, options: RetryOnConflictOptions = {}): Promise<T> {
  const { attempts = 5, delayMs = 10, factor = 1, signal, clock = new SystemClock(), random = Math.random } = options;
  check('attempts', attempts, Number.isInteger(attempts) && attempts >= 1);
  check('delayMs', delayMs, Number.isFinite(delayMs) && delayMs >= 0);
  check('factor', factor, Number.isFinite(factor) && factor >= 1);
  signal?.throwIfAborted();
  for (let tried = 1; ; tried++) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- each attempt waits for the one before
      return await attempt();
    } catch (error) {
      if (!isConflict(error) || tried >= attempts) throw error;
      const waitMs = delayMs * factor ** (tried - 1) * (1 + random() / 10);
      // oxlint-disable-next-line no-await-in-loop -- each attempt waits for the one before
      await clock.sleep(`${waitMs}ms`, signal);
    }
  }
}

function check(name: string, value: number, isRight: boolean): void {
  if (isRight) return;
  throw new KubewrightError('INVALID_OPTION', `cannot retry on conflict: option '${name}' is ${value}`);
}
