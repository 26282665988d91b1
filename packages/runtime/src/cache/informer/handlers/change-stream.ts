import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../store/change.js';
import type { ChangeHandler, HandlerRegistration } from './change-handler.js';

/**
 * Iterates over the existing objects of an informer and then over all later changes. Stores changes until the consumer requests them.
 * `begin` is called when the iteration starts. `begin` returns a controller. The iteration ends when this controller is aborted. If the
 * iteration ends for another reason, the generator aborts the controller.
 */
export async function* changesOf<T extends KubeObject>(
  addHandler: (handler: ChangeHandler<T>) => HandlerRegistration,
  begin: () => AbortController,
): AsyncGenerator<Change<T>, void> {
  const ending = begin();
  const ended = ending.signal;
  let waiting: Change<T>[] = [];
  let wake: (() => void) | undefined;
  const onEnd = (): void => wake?.();
  ended.addEventListener('abort', onEnd, { once: true });
  let registration: HandlerRegistration | undefined;
  try {
    if (ended.aborted) return;
    registration = addHandler({
      onChange: (change) => {
        waiting.push(change);
        wake?.();
      },
    });
    while (!ended.aborted) {
      const batch = waiting;
      waiting = [];
      for (const change of batch) {
        yield change;
        if (ended.aborted) return;
      }
      if (waiting.length > 0 || ended.aborted) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    ended.removeEventListener('abort', onEnd);
    ending.abort();
    registration?.remove();
  }
}
