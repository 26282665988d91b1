import { abortable } from '../../transport/abortable.js';

/**
 * Hands over the items one after the other, each when the one before was dealt with. Resolves at the end of the iterable and when the
 * signal is aborted, though neither the iterable nor who takes the items may heed it.
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
    // One that waits for its next item ends when that comes: nobody waits for it, and nobody heeds what it throws then.
    if (signal.aborted) iterator.return?.().catch(() => undefined);
  }
}
