import { abortable } from '../../waiting/abortable.js';

/**
 * Calls `onItem` for each item, after the call for the previous item has finished. Resolves when the iterable ends or the signal is
 * aborted. Does not wait for an iterable or a call of `onItem` that ignores the signal. Rejects with an error of the iterable or of
 * `onItem` that occurs before the signal is aborted.
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
    // A generator that waits for an item can return only after that item. Do not wait for the generator, and ignore its later errors.
    if (signal.aborted) iterator.return?.().catch(() => undefined);
  }
}
