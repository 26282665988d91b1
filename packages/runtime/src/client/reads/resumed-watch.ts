import type { KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import { BackOff } from '../../waiting/back-off.js';
import { failureOf } from '../../cache/reflector/reflector-failure.js';
import type { StreamEvent, WatchStream } from '../../cache/reflector/watch-stream.js';
import { LONGEST_REQUESTED_MS } from '../../transport/sending/retry.js';

/** The start version of a resumed watch, and the function that opens each watch. */
export interface ResumedWatchOptions<T extends KubeObject> {
  /** The name of the resource, for messages. */
  readonly name: string;
  readonly resourceVersion: string;
  readonly open: (resourceVersion: string) => Promise<WatchStream<T>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Yields the events of consecutive watches. Each watch starts at the version where the previous watch ended, so that no event is lost or
 * duplicated. After a watch that failed or delivered no events, waits before the next watch.
 *
 * Throws errors that another watch cannot resolve: an expired version, a rejected request, and an invalid event. Throws the reason of the
 * signal if the signal is aborted.
 */
export async function* resumedWatch<T extends KubeObject>(
  options: ResumedWatchOptions<T>,
): AsyncGenerator<StreamEvent<T>, void> {
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
      delayMs = Math.max(backOff.nextMs(), requestedDelayMs(error));
    }
    signal.throwIfAborted();
    if (resourceVersion === before) delayMs ??= backOff.nextMs();
    if (delayMs !== undefined) await clock.sleep(`${delayMs}ms`, signal);
  }
}

/** Whether another watch from the same version may succeed after this error. */
function mayPass(error: unknown): boolean {
  const failure = failureOf(error);
  if (failure === 'expired') return false;
  if (failure !== 'other') return true;
  return error instanceof ApiError && (error.status >= 500 || error.status === 408);
}

/** Returns the delay that the server requested in milliseconds, up to one minute. Returns 0 if the server requested none. */
function requestedDelayMs(error: unknown): number {
  const seconds = error instanceof ApiError ? (error.body.details?.retryAfterSeconds ?? 0) : 0;
  return Math.min(seconds * 1000, LONGEST_REQUESTED_MS);
}

function withoutVersion(name: string, { type }: StreamEvent<KubeObject>): KubewrightError {
  return new KubewrightError(
    'INVALID_RESPONSE',
    `watch ${name}: the server sent a ${type} event without a resourceVersion, so the watch cannot be resumed; list again and start another watch`,
  );
}
