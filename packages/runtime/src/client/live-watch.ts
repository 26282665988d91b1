import type { KindRef, KubeObject } from '@kubewright/api';
import { kindOf } from '@kubewright/api/metadata';
import { CutParser } from '../cache/object-parser.js';
import { ObjectSource } from '../cache/object-source.js';
import { openWatch, type WatchStream } from '../cache/watch-stream.js';
import type { ClientContext } from './client-context.js';
import { selectionQuery } from './list-query.js';
import type { WatchEvent, WatchOptions } from './live-reader.js';

/** The server ends a watch after so long. */
const TIMEOUT_SECONDS = 300;

const types = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const;

/** Opens one watch; it is closed with the iteration, and with the signal. Rejects as the server does. */
export async function liveWatch<T extends KubeObject>(
  context: ClientContext,
  kind: KindRef<T>,
  options: WatchOptions<never>,
): Promise<AsyncGenerator<WatchEvent<T>>> {
  const target = await context.targetOf(kind);
  const { transport } = await context.backend();
  const { clock, logger } = context;
  const source = new ObjectSource<T>({
    transport,
    clock,
    logger,
    resource: target.info,
    namespace: options.namespace,
    parser: new CutParser(),
    ...selectionQuery(options),
    metadataOnly: kindOf(kind).metadataOnly,
  });
  const signals = [context.signal, options.signal].filter((signal) => signal !== undefined);
  context.noteAccess(target, ['watch']);
  const stream = await openWatch(source, {
    resourceVersion: options.resourceVersion ?? '',
    initial: false,
    timeoutSeconds: TIMEOUT_SECONDS,
    silenceMs: (TIMEOUT_SECONDS + 30) * 1000,
    signal: AbortSignal.any(signals),
  });
  return eventsOf(stream, options.signal);
}

async function* eventsOf<T extends KubeObject>(
  stream: WatchStream<T>,
  ending: AbortSignal | undefined,
): AsyncGenerator<WatchEvent<T>> {
  try {
    for (;;) {
      const event = await stream.next();
      if (event === undefined) break;
      if (event.type !== 'BOOKMARK') yield { type: types[event.type], object: event.object };
    }
    if (stream.brokenBy !== undefined) throw stream.brokenBy;
  } catch (error) {
    if (!ending?.aborted) throw error;
  } finally {
    stream.close();
  }
}
