import type { KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { CutParser } from '../cache/parsing/object-parser.js';
import { ObjectSource } from '../cache/reflector/object-source.js';
import { openWatch } from '../cache/reflector/watch-stream.js';
import type { Logger } from '../log/logger.js';
import type { ResourceInfo } from '../transport/request/resource-path.js';
import type { Transport } from '../transport/sending/transport.js';
import { BackOff } from '../waiting/back-off.js';
import type { ProblemLog } from './problem-log.js';

/** A single object that is watched by its name. */
export interface WatchedObject {
  readonly resource: ResourceInfo;
  readonly name: string;
  /** The namespace. Undefined for a cluster-scoped object. */
  readonly namespace?: string | undefined;
}

export interface ObjectWatchesOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly problems: ProblemLog;
  /** Called for each change, and for the current state when a watch begins. The version is undefined if the object was deleted. */
  readonly onChange: (object: WatchedObject, resourceVersion: string | undefined) => void;
}

const WATCH_SECONDS = 300;
const SILENCE_MS = (WATCH_SECONDS * 2 + 30) * 1000;

/**
 * Watches single objects by name, so that the permissions can be limited by name. Receives only their metadata: a watch reports that an
 * object has changed, and the private keys in the Secret are not copied. Reopens each watch that ends.
 */
export class ObjectWatches implements AsyncDisposable {
  readonly #options: ObjectWatchesOptions;
  readonly #running = new Map<string, { readonly end: AbortController; readonly ended: Promise<void> }>();
  readonly #ended = new Set<Promise<void>>();

  constructor(options: ObjectWatchesOptions) {
    this.#options = options;
  }

  /** Sets the watched objects. Starts and ends watches accordingly. */
  set(objects: readonly WatchedObject[]): void {
    const wanted = new Map(objects.map((object) => [watchName(object), object]));
    for (const [name, { end, ended }] of this.#running) {
      if (wanted.has(name)) continue;
      end.abort();
      this.#running.delete(name);
      this.#ended.add(ended);
      void ended.then(() => this.#ended.delete(ended));
    }
    for (const [name, object] of wanted) {
      if (this.#running.has(name)) continue;
      const end = new AbortController();
      this.#running.set(name, { end, ended: this.#run(object, end.signal) });
    }
  }

  /** Ends all watches. Resolves when their connections are closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.set([]);
    await Promise.all(this.#ended);
  }

  /** Watches an object until the signal is aborted. Never rejects. */
  async #run(object: WatchedObject, signal: AbortSignal): Promise<void> {
    const { clock, problems } = this.#options;
    const name = watchName(object);
    const backOff = new BackOff(clock);
    while (!signal.aborted) {
      try {
        await this.#watch(object, signal);
        problems.clear(name);
      } catch (error) {
        if (signal.aborted) return;
        problems.failed(name, 'cannot watch an object of the webhooks; changes are detected after up to 10 min', error);
      }
      await clock.sleep(`${backOff.nextMs()}ms`, signal).catch(() => undefined);
    }
  }

  /** Reports the events of one watch. Resolves when the watch ends. Rejects if the watch cannot be opened. */
  async #watch(object: WatchedObject, signal: AbortSignal): Promise<void> {
    const { transport, clock, logger, onChange } = this.#options;
    const { resource, namespace } = object;
    const source = new ObjectSource<KubeObject>({
      transport,
      clock,
      logger,
      resource,
      namespace,
      fieldSelector: `metadata.name=${object.name}`,
      metadataOnly: true,
      parser: new CutParser(),
    });
    // Spreads the requests of watches that began at the same time.
    const timeoutSeconds = Math.round(WATCH_SECONDS * (1 + clock.random.number()));
    const request = { resourceVersion: '', initial: false, timeoutSeconds, silenceMs: SILENCE_MS, signal };
    const stream = await openWatch(source, request);
    try {
      for (let event = await stream.next(); event !== undefined; event = await stream.next()) {
        if (event.type !== 'BOOKMARK') onChange(object, event.type === 'DELETED' ? undefined : event.resourceVersion);
      }
      // Broken connections are normal. The next watch reports the changes since then.
      if (stream.brokenBy !== undefined)
        logger.debug('a watch ended early', { source: source.name, error: stream.brokenBy });
    } finally {
      stream.close();
    }
  }
}

function watchName({ resource, namespace, name }: WatchedObject): string {
  return `watch of ${resource.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
