import type { KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import { BackOff } from '../cache/back-off.js';
import { failureOf } from '../cache/reflector-failure.js';
import type { WatchEvent, WatchStream } from '../cache/watch-stream.js';
import { LONGEST_ASKED_MS } from '../transport/retry.js';

/** Where a watch goes on, and how it is opened there. */
export interface ResumedWatchOptions<T extends KubeObject> {
  /** Of what, for messages. */
  readonly name: string;
  readonly resourceVersion: string;
  readonly open: (resourceVersion: string) => Promise<WatchStream<T>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * The events of one watch after the other, each from where the one before ended: none missing, none twice. A watch to which nothing
 * came is followed by the next one after a delay. Throws what no further watch would cure: an expired version, a refusal, and bytes
 * that are no event; and the reason of the signal.
 */
export async function* resumedWatch<T extends KubeObject>(
  options: ResumedWatchOptions<T>,
): AsyncGenerator<WatchEvent<T>, void> {
  const { open, clock, signal } = options;
  const backOff = new BackOff(clock);
  let { resourceVersion } = options;
  for (;;) {
    let delayMs: number | undefined;
    const before = resourceVersion;
    try {
      const stream = await open(resourceVersion);
      try {
        for (let event = await stream.next(); event !== undefined; event = await stream.next()) {
          if (event.resourceVersion === '') throw withoutVersion(options.name, event);
          yield event;
          ({ resourceVersion } = event);
        }
      } finally {
        stream.close();
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!mayPass(error)) throw error;
      delayMs = Math.max(backOff.nextMs(), askedDelayMs(error));
    }
    signal.throwIfAborted();
    if (resourceVersion === before) delayMs ??= backOff.nextMs();
    if (delayMs !== undefined) await clock.sleep(`${delayMs}ms`, signal);
  }
}

/** Whether another watch from the same version may do better. */
function mayPass(error: unknown): boolean {
  const failure = failureOf(error);
  if (failure === 'expired') return false;
  if (failure !== 'other') return true;
  return error instanceof ApiError && (error.status >= 500 || error.status === 408);
}

/** What the server asked to wait, up to a minute. */
function askedDelayMs(error: unknown): number {
  const seconds = error instanceof ApiError ? (error.body.details?.retryAfterSeconds ?? 0) : 0;
  return Math.min(seconds * 1000, LONGEST_ASKED_MS);
}

function withoutVersion(name: string, { type }: WatchEvent<KubeObject>): KubewrightError {
  return new KubewrightError(
    'INVALID_ANSWER',
    `watch ${name}: ${type} came without a resourceVersion, so that nobody knows where to go on; list, and watch from there`,
  );
}
