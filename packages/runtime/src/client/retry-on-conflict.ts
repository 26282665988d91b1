import { type Clock, SystemClock } from '@kubewright/api/clock';
import { KubewrightError, isConflict, valueText } from '@kubewright/api/errors';

/** The number of attempts and the delays of `retryOnConflict`. */
export interface RetryOnConflictOptions {
  /** The total number of attempts. @default 5 */
  readonly attempts?: number;
  /** The delay before the second attempt, in milliseconds. Each delay is extended by a random jitter of up to 10%. @default 10 */
  readonly delayMs?: number;
  /** The factor by which each delay is multiplied to get the next delay. @default 1 */
  readonly factor?: number;
  /** Aborts the retries. @default none */
  readonly signal?: AbortSignal | undefined;
  /** The clock for the delays. @default the system clock */
  readonly clock?: Clock;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive) for the jitter. @default the random numbers of the clock */
  readonly random?: () => number;
}

/**
 * Calls `attempt`, and calls `attempt` again if the call fails with a conflict. `attempt` must read the object again each time. Rejects
 * with the conflict after the last attempt, and with any other error immediately. If the signal is aborted, rejects with the reason of the
 * signal. Rejects with INVALID_OPTION if an option is out of range.
 *
 * A patch function (`client.patch(object, (draft) => …)`) usually does not need a retry: the patch contains only the changed fields, and
 * does not conflict with other writes. Use this function for `client.update`, and for values that depend on the read object, such as a
 * counter.
 *
 * @example
 * await retryOnConflict(async () => {
 *   const lottery = await client.live.get(ConfigMap, { namespace: 'default', name: 'lottery' });
 *   await client.update({ ...lottery, data: { next: String(Number(lottery.data?.next ?? 0) + 1) } });
 * });
 */
export async function retryOnConflict<T>(attempt: () => Promise<T>, options: RetryOnConflictOptions = {}): Promise<T> {
  const {
    attempts = 5,
    delayMs = 10,
    factor = 1,
    signal,
    clock = new SystemClock(),
    random = clock.random.number,
  } = options;
  check('attempts', attempts, Number.isInteger(attempts) && attempts >= 1);
  check('delayMs', delayMs, Number.isFinite(delayMs) && delayMs >= 0);
  check('factor', factor, Number.isFinite(factor) && factor >= 1);
  signal?.throwIfAborted();
  for (let tried = 1; ; tried++) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- each attempt waits for the previous attempt
      return await attempt();
    } catch (error) {
      if (!isConflict(error) || tried >= attempts) throw error;
      const waitMs = delayMs * factor ** (tried - 1) * (1 + random() / 10);
      // oxlint-disable-next-line no-await-in-loop -- each attempt waits for the previous attempt
      await clock.sleep(`${waitMs}ms`, signal);
    }
  }
}

function check(name: string, value: number, isValid: boolean): void {
  if (isValid) return;
  throw new KubewrightError(
    'INVALID_OPTION',
    `cannot retry on conflict: option '${name}' is ${valueText(value)}; 'attempts' must be a positive integer, 'delayMs' at least 0 and 'factor' at least 1`,
  );
}
