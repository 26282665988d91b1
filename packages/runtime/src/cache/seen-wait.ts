import type { KubeObject } from '@kubewright/api';
import { type Clock, durationMs } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { SeenOptions } from './cache.js';
import { formatKey } from './object-key.js';

/** Resolves when `isSeen`, which is asked again whenever `onProgress` calls back. Rejects with NOT_SEEN, and with the reason of the signal. */
export function untilSeen(
  object: KubeObject,
  using: SeenOptions & {
    readonly isSeen: () => boolean;
    readonly onProgress: (listener: () => void) => () => void;
    readonly clock: Clock;
  },
): Promise<void> {
  const { isSeen, signal, timeout } = using;
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      stopListening();
      timer?.cancel();
      signal?.removeEventListener('abort', onAbort);
    };
    const fail = (reason: unknown): void => {
      settle();
      reject(reason);
    };
    const onAbort = (): void => fail(signal?.reason);
    const check = (): void => {
      try {
        if (!isSeen()) return;
      } catch (error) {
        return fail(error);
      }
      settle();
      resolve();
    };
    const stopListening = using.onProgress(check);
    const timer =
      timeout === undefined
        ? undefined
        : using.clock.schedule(durationMs(timeout), () => fail(notSeen(object, timeout)));
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    else check();
  });
}

function notSeen({ kind, metadata }: KubeObject, timeout: string): KubewrightError {
  return new KubewrightError(
    'NOT_SEEN',
    `wait for the watch of ${kind} to bring ${formatKey(metadata)} at version ${metadata.resourceVersion}: it did not within ${timeout}`,
  );
}
