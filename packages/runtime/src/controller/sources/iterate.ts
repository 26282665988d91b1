import { abortable } from '../../waiting/abortable.js';

/**
 * Passes the items to `onItem` in sequence, each after the previous item was processed. Resolves at the end of the iterable and when the
 * signal is aborted, even if the iterable and `onItem` ignore the signal.
 */
export async function iterate<I>(
  items: AsyncIterable<I>,
  signal: AbortSignal,
  onItem: (item: I) => void | Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    while (!signal.aborted) {
      const next = await abortable(iterator.next(), signal);
      if (next.done === true) return;
      await abortable(Promise.resolve(onItem(next.value)), signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    // A generator that waits for its next item ends only after that item. Do not wait for this, and ignore later errors.
    if (signal.aborted) iterator.return?.().catch(() => undefined);
  }
}
