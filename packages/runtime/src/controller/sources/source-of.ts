import type { KubeObject } from '@kubewright/api';
import { KubewrightError, valueText } from '@kubewright/api/errors';
import { keyOf } from '../../cache/store/object-key.js';
import { iterate } from './iterate.js';
import { Mapping } from './mapping.js';
import { type ReconcileKey, readKeys } from '../watches/reconcile-key.js';
import type { Source, SourceTarget } from './source.js';

/** The options of `sourceOf`: which objects to reconcile for an item. */
export interface SourceOptions<I> {
  /**
   * Returns the objects to reconcile for an item. The source takes the next item after this function has returned or settled, so a slow
   * mapper slows down the source. If the returned promise rejects, the source continues and retries the mapper later with back-off, except
   * after programming errors and not-found errors. @default the item itself, a key or an object
   */
  readonly map?: (item: I) => Iterable<ReconcileKey> | Promise<Iterable<ReconcileKey>>;
  /**
   * Selects the items that trigger reconciles. If the function throws, the error is logged and counted, and the item triggers a reconcile.
   * @default all
   */
  readonly when?: (item: I) => boolean;
  /** The priority of the reconciles. @default the priority of the objects */
  readonly priority?: number;
}
/** A function that provides the events of a source. Either calls `enqueue` until the signal is aborted, or is a generator of items. */
export type SourceFunction<I> = (target: SourceTarget, signal: AbortSignal) => void | Promise<void> | AsyncIterable<I>;

/**
 * Creates a source that triggers reconciles because of events outside the cluster. The events are from an async iterable (such as a
 * `Channel` or a message stream), from a generator function, or from a function that calls `enqueue`.
 *
 * The controller starts to read the iterable when the controller starts. It also processes items that were queued before. The source ends
 * when the iterable ends or throws an error. After an error, the controller logs the error with the name of the source and becomes unready.
 * If the error occurs while the source is starting, the controller does not start. Throws INVALID_SOURCE.
 *
 * @example
 * const scans = new Channel<Scan>();
 * @Controller({ for: Volume, sources: [sourceOf('scans', scans, { map: ({ volume }) => [volume] })] })
 *
 * @example
 * sourceOf('tickets', async function* (_, signal) {
 *   for await (const message of queue.messages({ signal })) yield { namespace: 'tickets', name: message.id };
 * })
 */
export function sourceOf<I extends ReconcileKey | KubeObject>(
  name: string,
  from: AsyncIterable<I> | SourceFunction<I>,
  options?: SourceOptions<NoInfer<I>>,
): Source;
/** Creates a source whose items are neither keys nor objects. `map` is required and returns the objects to reconcile for an item. */
export function sourceOf<I>(
  name: string,
  from: AsyncIterable<I> | SourceFunction<I>,
  options: SourceOptions<NoInfer<I>> & Required<Pick<SourceOptions<NoInfer<I>>, 'map'>>,
): Source;
export function sourceOf<I>(
  name: string,
  from: AsyncIterable<I> | SourceFunction<I>,
  options: SourceOptions<I> = {},
): Source {
  if (typeof name !== 'string' || name === '') throw invalid('a source', 'it has no name: use sourceOf(name, …)');
  if (!isIterable(from) && typeof from !== 'function') {
    throw invalid(`source '${name}'`, `${valueText(from)} is neither an async iterable nor a function`);
  }
  return Object.freeze({
    name,
    start: (target: SourceTarget, signal: AbortSignal): void => {
      const given = typeof from === 'function' ? from(target, signal) : from;
      if (isIterable<I>(given)) target.track(readAll(given, options, { target, signal }));
      else if (given !== undefined) target.track(given);
    },
  });
}

interface Reading {
  readonly target: SourceTarget;
  readonly signal: AbortSignal;
}

async function readAll<I>(items: AsyncIterable<I>, options: SourceOptions<I>, reading: Reading): Promise<void> {
  const { target, signal } = reading;
  const { map = itself, when, priority } = options;
  const mapping = new Mapping(target.clock, () => undefined);
  const deliver = (answers: readonly unknown[]): void => {
    for (const answer of answers) enqueueAll(answer, { target, priority });
  };
  const failed = (error: unknown): void => target.failed(error);
  let count = 0;
  try {
    await iterate(items, signal, async (item) => {
      if (when !== undefined && !counts(when, item, target)) return;
      const job = { id: String(count++), calls: [() => map(item)], deliver, failed };
      const answered = mapping.start(job);
      if (answered === undefined) return;
      target.busy(answered);
      await answered;
    });
    await mapping.idle(signal);
  } finally {
    mapping.stop();
  }
}

function enqueueAll(
  answer: unknown,
  to: { readonly target: SourceTarget; readonly priority: number | undefined },
): void {
  const { target } = to;
  try {
    for (const key of readKeys(answer)) {
      const { priority = to.priority, after } = (key ?? {}) as Partial<ReconcileKey>;
      target.enqueue(key as ReconcileKey, {
        ...(priority !== undefined && { priority }),
        ...(after !== undefined && { after }),
      });
    }
  } catch (error) {
    target.failed(error);
  }
}
function counts<I>(when: (item: I) => boolean, item: I, target: SourceTarget): boolean {
  try {
    return when(item);
  } catch (error) {
    target.failed(error);
    return true;
  }
}
/** Returns the key of an item. The item is a key or an object. */
function itself(item: unknown): readonly ReconcileKey[] {
  const { metadata } = (item ?? {}) as Partial<KubeObject>;
  return [metadata === undefined ? (item as ReconcileKey) : keyOf({ metadata })];
}
function isIterable<I>(value: unknown): value is AsyncIterable<I> {
  return typeof (value as AsyncIterable<I> | undefined | null)?.[Symbol.asyncIterator] === 'function';
}
function invalid(what: string, why: string): KubewrightError {
  return new KubewrightError('INVALID_SOURCE', `cannot create ${what}: ${why}`);
}
