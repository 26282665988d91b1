import type { KubeObject } from '@kubewright/api';
import type { Change } from './change.js';
import type { HandlerRegistration, SharedInformer } from './shared-informer.js';

/**
 * The changes of an informer, to be iterated: first the objects that are there. Ends when what `begin` gives is aborted, which is asked
 * for with the first of them, and aborts it at the end. What is not iterated waits.
 */
export async function* changesOf<T extends KubeObject>(
  addHandler: SharedInformer<T>['addHandler'],
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
