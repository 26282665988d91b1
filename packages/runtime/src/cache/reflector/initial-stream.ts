import type { KubeObject } from '@kubewright/api';
import type { Clock, Timer } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { formatKey } from '../store/object-key.js';
import type { ObjectSource } from './object-source.js';
import { failureOf } from './reflector-failure.js';
import { openWatch, type WatchRequest, type WatchStream } from './watch-stream.js';

/** The interval in milliseconds at which a warning is logged if the initial objects are not complete. */
const WARN_AFTER_MS = 10_000;
/**
 * The time limit of a streaming list in milliseconds. Before the initial objects are complete, the reflector closes a stream that sends
 * nothing for this time, because the server may not support streaming lists. The limit also applies to the time from the first bookmark to
 * the end of the initial objects.
 */
const INITIAL_SILENCE_MS = 30_000;
/** The time in milliseconds within which an empty stream ends if the server does not support streaming lists. */
const VERY_SHORT_MS = 1000;

/** The result of a streaming list. */
export type InitialStream<T extends KubeObject> =
  /** All initial objects were received. The stream continues with changes. */
  | {
      readonly result: 'complete';
      readonly objects: readonly T[];
      readonly resourceVersion: string;
      readonly stream: WatchStream<T>;
    }
  /** The server ended the stream, or the stream was closed, before all initial objects were received. */
  | { readonly result: 'ended'; readonly error: unknown; readonly isVeryShort: boolean }
  /** The connection broke before all initial objects were received. The server may still support streaming lists. */
  | { readonly result: 'broken'; readonly error: unknown };

/**
 * Reads the initial objects of a streaming list, up to the bookmark that marks their end. Does not change the store. Rejects with the error
 * that the server returned or sent in the stream.
 */
export async function readInitialStream<T extends KubeObject>(
  source: ObjectSource<T>,
  request: Omit<WatchRequest, 'initial'>,
): Promise<InitialStream<T>> {
  const startedAt = source.clock.monotonicMs();
  const stream = await openWatch(source, {
    ...request,
    initial: true,
    silenceMs: Math.min(request.silenceMs, INITIAL_SILENCE_MS),
  });
  const warning = warnUntilEnd(source);
  try {
    const complete = await collect(source.clock, stream);
    if (complete !== undefined) {
      stream.allowSilence(request.silenceMs);
      return complete;
    }
  } catch (error) {
    stream.close();
    throw error;
  } finally {
    warning.cancel();
  }
  if (failureOf(stream.brokenBy) === 'connection') return { result: 'broken', error: stream.brokenBy };
  const isVeryShort = stream.count === 0 && source.clock.monotonicMs() - startedAt < VERY_SHORT_MS;
  const message = `watch ${source.name}: the stream ended before the initial objects were complete`;
  return { result: 'ended', error: stream.brokenBy ?? new KubewrightError('LIST_INCOMPLETE', message), isVeryShort };
}

async function collect<T extends KubeObject>(
  clock: Clock,
  stream: WatchStream<T>,
): Promise<InitialStream<T> | undefined> {
  const objects = new InitialObjects<T>();
  let deadline: Timer | undefined;
  try {
    for (let event = await stream.next(); event !== undefined; event = stream.take() ?? (await stream.next())) {
      if (event.type !== 'BOOKMARK') objects.apply(event.type, event.object);
      else if (event.endsInitial) {
        return { result: 'complete', objects: objects.all, resourceVersion: event.resourceVersion, stream };
      } else {
        deadline ??= clock.schedule(INITIAL_SILENCE_MS, () =>
          stream.abandon(
            `the initial objects were not complete within ${INITIAL_SILENCE_MS / 1000} s after a bookmark`,
          ),
        );
      }
    }
    return undefined;
  } finally {
    deadline?.cancel();
  }
}

/** The initial objects in the order in which they arrive. Computes their keys only if objects change before all of them have arrived. */
class InitialObjects<T extends KubeObject> {
  readonly #added: T[] = [];
  #byKey: Map<string, T> | undefined;

  get all(): readonly T[] {
    return this.#byKey === undefined ? this.#added : [...this.#byKey.values()];
  }

  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void {
    if (type === 'ADDED' && this.#byKey === undefined) {
      this.#added.push(object);
      return;
    }
    this.#byKey ??= new Map(this.#added.map((each) => [formatKey(each.metadata), each]));
    const key = formatKey(object.metadata);
    if (type === 'DELETED') this.#byKey.delete(key);
    else this.#byKey.set(key, object);
  }
}

function warnUntilEnd<T extends KubeObject>(source: ObjectSource<T>): { cancel(): void } {
  const startedAt = source.clock.monotonicMs();
  const warn = (): void => {
    const seconds = Math.round((source.clock.monotonicMs() - startedAt) / 1000);
    source.logger.warn('the API server has not sent the end of the initial events yet', {
      source: source.name,
      seconds,
    });
    timer = source.clock.schedule(WARN_AFTER_MS, warn);
  };
  let timer = source.clock.schedule(WARN_AFTER_MS, warn);
  return { cancel: () => timer.cancel() };
}
