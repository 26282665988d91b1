import type { KindRef, KubeObject } from '@kubewright/api';
import { durationMs } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import { CutParser } from '../../cache/parsing/object-parser.js';
import { ObjectSource } from '../../cache/reflector/object-source.js';
import { openWatch, type StreamEvent, type WatchStream } from '../../cache/reflector/watch-stream.js';
import type { ClientContext } from '../requests/client-context.js';
import { selectionQuery } from './list-query.js';
import type { WatchEvent, WatchOptions } from './live-reader.js';
import { resumedWatch } from './resumed-watch.js';

/** The default duration after which the server ends a watch. */
const DEFAULT_TIMEOUT = '300s';
const MAX_TIMEOUT_MS = 3_600_000;
/** If a watch receives no bytes for its timeout plus this number of seconds, the client closes the watch. */
const SILENCE_MARGIN_SECONDS = 30;

const types = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const;

/**
 * Opens a watch. The watch is closed when the iteration ends or the signal is aborted. Rejects with INVALID_OPTION before the first
 * request, and with the errors of the server.
 */
export async function liveWatch<T extends KubeObject>(
  context: ClientContext,
  kind: KindRef<T>,
  options: WatchOptions<never>,
): Promise<AsyncGenerator<WatchEvent<T>>> {
  const timeoutSeconds = checkedTimeout(kind, options);
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
  const signal = AbortSignal.any([...context.signals, options.signal].filter((each) => each !== undefined));
  const silenceMs = (timeoutSeconds + SILENCE_MARGIN_SECONDS) * 1000;
  const open = (resourceVersion: string): Promise<WatchStream<T>> => {
    context.noteAccess(target, ['watch']);
    return openWatch(source, { resourceVersion, initial: false, timeoutSeconds, silenceMs, signal });
  };
  const { resourceVersion = '' } = options;
  const events = options.resume
    ? resumedWatch({ name: source.name, resourceVersion, open, clock, signal })
    : eventsOf(await open(resourceVersion));
  return withoutBookmarks(events, options.signal);
}

async function* eventsOf<T extends KubeObject>(stream: WatchStream<T>): AsyncGenerator<StreamEvent<T>, void> {
  try {
    for (let event = await stream.next(); event !== undefined; event = await stream.next()) yield event;
    if (stream.brokenBy !== undefined) throw stream.brokenBy;
  } finally {
    stream.close();
  }
}

async function* withoutBookmarks<T extends KubeObject>(
  events: AsyncGenerator<StreamEvent<T>, void>,
  ending: AbortSignal | undefined,
): AsyncGenerator<WatchEvent<T>> {
  try {
    for await (const event of events) {
      if (ending?.aborted) return;
      if (event.type !== 'BOOKMARK') yield { type: types[event.type], object: event.object };
    }
  } catch (error) {
    if (!ending?.aborted) throw error;
  }
}

/**
 * Returns the timeout in whole seconds. Throws INVALID_OPTION for an invalid timeout, and for `resume` without a resourceVersion or with
 * the resourceVersion '0'.
 */
function checkedTimeout(
  kind: KindRef,
  { timeout = DEFAULT_TIMEOUT, resume, resourceVersion }: WatchOptions<never>,
): number {
  const attempted = `watch ${kindOf(kind).kind}`;
  if (resume && (resourceVersion === undefined || resourceVersion === '' || resourceVersion === '0')) {
    throw new KubewrightError(
      'INVALID_OPTION',
      `${attempted}: 'resume' requires a 'resourceVersion' other than '0', such as the resourceVersion of a page`,
    );
  }
  const ms = durationMs(timeout);
  if (ms >= 1000 && ms <= MAX_TIMEOUT_MS) return Math.ceil(ms / 1000);
  throw new KubewrightError('INVALID_OPTION', `${attempted}: 'timeout' is ${timeout}; it must be between 1s and 1h`);
}
