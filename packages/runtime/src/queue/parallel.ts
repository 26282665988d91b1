/** How `forEachInParallel` works. */
export interface ParallelOptions {
  /** How many run at a time. @default 8 */
  readonly concurrency?: number;
  /** Nothing new is begun once it is aborted. @default none */
  readonly signal?: AbortSignal;
}

/**
 * Works on every item, some at a time, in order. One that fails does not keep the others from being worked on. Settles when all
 * that was begun has ended: rejects with the first error, else with the reason of the signal when items were left out.
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
