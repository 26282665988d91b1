import type { Steps } from '@kubewright/api/apply';

/**
 * Waits for a promise in a step, and returns its value. Throws an Error if the caller of the steps does not wait, such as `finish`. Such
 * callers must set `unreviewed` in the context of their writes.
 */
export function* awaited<T>(start: () => Promise<T>): Steps<T> {
  const outcomes: { readonly value?: T; readonly error?: unknown }[] = [];
  yield async () => {
    try {
      outcomes.push({ value: await start() });
    } catch (error) {
      outcomes.push({ error });
    }
  };
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error('cannot call a webhook: the write does not wait for its steps');
  if ('error' in outcome) throw outcome.error;
  return outcome.value as T;
}
