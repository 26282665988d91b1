/** The options of `forEachInParallel`. */
export interface ParallelOptions {
  /** The maximum number of concurrent calls. @default 8 */
  readonly concurrency?: number;
  /** If aborted, no further items are started. @default none */
  readonly signal?: AbortSignal;
}

/**
 * Calls `work` for each item, in order and with limited concurrency. If a call fails, continues with the other items. Settles when all
 * started calls have ended. Rejects with the first error. If there was no error but the signal was aborted before all items were started,
 * rejects with the reason of the signal.
 *
 * @example
 * await forEachInParallel(zone.spec.records, (record) => dns.ensure(record, { signal }), { concurrency: 4, signal });
 */
export async function forEachInParallel<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  options: ParallelOptions = {},
): Promise<void> {
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && options.signal?.aborted !== true) {
      const item = items[next++] as T;
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  const workers = Math.min(options.concurrency ?? 8, items.length);
  await Promise.all(Array.from({ length: workers }, worker));
  if (failures.length > 0) throw failures[0];
  if (next < items.length) options.signal?.throwIfAborted();
}
