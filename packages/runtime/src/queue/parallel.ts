/** The options of `forEachInParallel`. */
export interface ParallelOptions {
  /** The maximum number of concurrent calls. @default 8 */
  readonly concurrency?: number;
  /** Stops starting items after the abort. @default none */
  readonly signal?: AbortSignal;
}

/**
 * Calls `work` for every item, in order and with limited concurrency. The failure of an item does not stop the others. Settles after all
 * started calls have ended. Rejects with the first error, else with the reason of the signal if items were skipped.
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
