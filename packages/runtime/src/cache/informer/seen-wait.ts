import type { KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { boundedWait } from '../../waiting/bounded-wait.js';
import type { WaitOptions } from '../../waiting/bounded-wait.js';
import { formatKey } from '../store/object-key.js';

/**
 * Waits until `isSeen` returns true. Calls `isSeen` immediately and after each progress of an informer. Rejects with NOT_OBSERVED after the
 * timeout, with the error that `isSeen` throws, and with the reason of the signal.
 */
export function untilSeen(
  object: KubeObject,
  using: WaitOptions & {
    readonly isSeen: () => boolean;
    readonly onProgress: (listener: () => void) => () => void;
    readonly clock: Clock;
  },
): Promise<void> {
  const { isSeen, onProgress, clock, timeout } = using;
  return boundedWait<void>(using, {
    clock,
    begin: ({ found, failed }) => {
      const check = (): void => {
        try {
          if (isSeen()) found();
        } catch (error) {
          failed(error);
        }
      };
      const end = onProgress(check);
      check();
      return end;
    },
    tooLate: () => notSeen(object, timeout),
  });
}

function notSeen({ kind, metadata }: KubeObject, timeout: string | undefined): KubewrightError {
  return new KubewrightError(
    'NOT_OBSERVED',
    `the watch of ${kind} did not deliver ${formatKey(metadata)} at resourceVersion ${metadata.resourceVersion} within ${timeout}`,
  );
}
