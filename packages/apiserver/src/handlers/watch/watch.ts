import type { Timer } from '@kubewright/api/clock';
import { ApiError, type Status } from '@kubewright/api/errors';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import type { ApiObject } from '../../registry/objects/api-object.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import { compileSelection } from '../../registry/listing/selection.js';
import { expired, UnreachedVersionError } from '../../registry/requests/status-errors.js';
import type { StoreEvent } from '../../storage/event-log.js';
import type { Answer, AnswerStream } from '../answers/answer.js';
import { protobufType } from '../answers/accept.js';
import type { Presenter } from '../answers/present.js';
import { type WatchOptions, watchOptions } from '../query-options.js';
import type { Serving } from '../serving.js';
import type { ResourceRequest } from '../verbs.js';
import { WatchConversions } from './watch-conversions.js';
import { type WatchEventType, WatchFeed } from './watch-feed.js';

const bookmarkPeriodMs = 60_000;
const shortestTimeoutSeconds = 1800;
/**
 * If more events than this wait for a slow client or for a conversion webhook, and the store no longer keeps the first of these events, the
 * server aborts the watch.
 */
const mostWaiting = 1000;
/** The maximum number of events or initial objects that a watch converts at once, before it sends them. */
const mostConverted = 500;
/** The time, in seconds, before the end of a watch at which the watch sends its last bookmark. */
const lastBookmarkSeconds = 2;
/** The options of the timers of a watch. These timers do not change objects. */
const upkeep = { isUpkeep: true } as const;

/** The reason for a bookmark: the time since the last bookmark, or a possible change of the version of the store. */
type DueBookmark = 'periodic' | 'changed';

interface BookmarkOptions {
  /** @default false */
  readonly endOfInitialEvents?: boolean;
  /** Whether the watch also sends the bookmark if the client knows its version. @default false */
  readonly isPeriodic?: boolean;
}

/** The parameters of a watch. */
interface WatchedSelection {
  readonly definition: ResourceDefinition;
  readonly namespace: string | undefined;
  readonly options: WatchOptions;
  readonly matches: (object: ApiObject) => boolean;
  /** Whether the watch has a selector. */
  readonly isSelective: boolean;
  readonly presenter: Presenter;
  /** Called with the size of each event that is sent. */
  readonly onSent: (bytes: number) => void;
  /** The header `Audit-ID` of the request. */
  readonly id: string | undefined;
  /** Whether the initial objects are sent in reverse order. */
  readonly isReversed: boolean;
}

/**
 * Watches a resource. If the presenter encodes protobuf, the messages of the resource must be loaded. Throws an ApiError for an invalid
 * query. Reports an error of the resourceVersion, for example an expired resourceVersion, as an ERROR event, as a kube-apiserver does.
 */
export function watchResource(
  serving: Serving,
  definition: ResourceDefinition,
  {
    request,
    info,
    presenter,
    onSent = () => undefined,
  }: Pick<ResourceRequest, 'request' | 'info' | 'presenter'> & Partial<Pick<WatchedSelection, 'onSent'>>,
): Answer {
  const named = info.name === undefined ? undefined : `metadata.name=${info.name}`;
  const fieldSelector = [request.query.get('fieldSelector') || undefined, named].filter(Boolean).join(',');
  const labelSelector = request.query.get('labelSelector') || undefined;
  const selection: WatchedSelection = {
    definition,
    namespace: info.namespace,
    options: watchOptions(request),
    matches: compileSelection(definition, { labelSelector, fieldSelector }),
    isSelective: labelSelector !== undefined || fieldSelector !== '',
    presenter,
    onSent,
    id: request.headers['audit-id'],
    isReversed: request.isReversed === true,
  };
  const contentType = presenter.encoding === 'protobuf' ? `${protobufType};stream=watch` : 'application/json';
  const headers = { 'content-type': contentType };
  return { kind: 'stream', headers, run: (stream) => new ResourceWatch(serving, selection, stream).start() };
}

/** One watch. While the stream is full, the initial objects and the events wait as references to stored objects, not as text. */
class ResourceWatch {
  readonly #serving: Serving;
  readonly #selection: WatchedSelection;
  readonly #stream: AnswerStream;
  readonly #feed: WatchFeed;
  readonly #conversions: WatchConversions;
  readonly #onEnd: (() => void)[] = [];
  readonly #events: StoreEvent[] = [];
  /** Sends one initial object in each step. */
  #initial: Iterator<boolean> | undefined;
  #dueBookmark: DueBookmark | undefined;
  #isEnding = false;
  #isOver = false;
  /** The last version that the client has received. */
  #reported = 0;

  constructor(serving: Serving, selection: WatchedSelection, stream: AnswerStream) {
    this.#serving = serving;
    this.#selection = selection;
    this.#stream = stream;
    this.#feed = new WatchFeed(stream, {
      clock: serving.clock,
      encoder: serving.events[selection.presenter.encoding === 'protobuf' ? 'protobuf' : 'json'],
      fault: serving.faults.watch(selection.definition.plural, selection.id),
      onDelay: () => this.#waits(),
      onSent: selection.onSent,
      expired: () => expired('The resourceVersion for the provided watch is too old.'),
    });
    this.#conversions = new WatchConversions(selection.definition.conversion, () => this.#advance());
    stream.onDrain(() => this.#advance());
    stream.onClose(() => {
      this.#isOver = true;
      this.#events.length = 0;
      this.#initial = undefined;
      for (const step of this.#onEnd) step();
      this.#onEnd.length = 0;
    });
  }

  /** Records that this watch waits for a timer of the clock. Returns a function that ends the wait. */
  #waits(): () => void {
    return this.#serving.clockWaits.begin(this.#selection.id);
  }

  /** @param retries whether the watch waits for a version that the store has not reached, and then starts again */
  start(retries = true): void {
    try {
      this.#follow(this.#begin());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (retries && error instanceof UnreachedVersionError) {
        const end = this.#waits();
        const cancel = this.#serving.waits.wait(error.version, () => {
          end();
          this.start(false);
        });
        this.#onEnd.push(cancel, end);
        return;
      }
      return this.#fail(error.body);
    }
    const { definition } = this.#selection;
    const { registry, clock, watches } = this.#serving;
    this.#onEnd.push(watches.add({ bookmark: () => this.#requestBookmark('changed') }));
    this.#onEnd.push(
      registry.onChange(() => {
        const now = registry.find(definition.group, definition.version, definition.plural);
        if (now === undefined || now.era !== definition.era) this.#end();
      }),
    );
    const seconds = this.#selection.options.timeoutSeconds || shortestTimeoutSeconds * (1 + clock.random.number());
    const timers = [clock.schedule(seconds * 1000, () => this.#end(), upkeep)];
    // The last bookmark reduces the number of events that the client reads again when it starts another watch.
    if (seconds > lastBookmarkSeconds) {
      const periodic = (): void => this.#requestBookmark('periodic');
      timers.push(clock.schedule((seconds - lastBookmarkSeconds) * 1000, periodic, upkeep));
    }
    for (const timer of timers) this.#onEnd.push(() => timer.cancel());
    this.#keepBookmarking();
  }

  /** Prepares the initial objects if the client requests them. Returns the version after which the watch sends events. */
  #begin(): string {
    const { store } = this.#serving;
    const { definition, namespace, options, isReversed } = this.#selection;
    const { resourceVersion, sendInitialEvents } = options;
    const any = resourceVersion === '' || resourceVersion === '0';
    if (sendInitialEvents === true) {
      if (!any && compareResourceVersions(resourceVersion, store.resourceVersion) > 0) {
        throw new UnreachedVersionError(resourceVersion, store.resourceVersion);
      }
    } else if (!any) return resourceVersion;
    if (sendInitialEvents !== false) {
      const objects = store.list(definition.storageBucket, { namespace });
      const bookmarkAt = sendInitialEvents === true ? store.resourceVersion : undefined;
      this.#initial = this.#sendInitial(isReversed ? objects.toReversed() : objects, bookmarkAt);
    }
    return store.resourceVersion;
  }

  /** Sends the initial objects, one in each step. Yields false if an object is not converted yet. */
  *#sendInitial(objects: readonly ApiObject[], bookmarkAt: string | undefined): Generator<boolean, undefined> {
    const { definition, matches } = this.#selection;
    for (const [at, stored] of objects.entries()) {
      while (!this.#conversions.isReady([stored], () => objects.slice(at, at + mostConverted))) yield false;
      const object = definition.fromStored(stored);
      if (matches(object)) this.#send('ADDED', object);
      yield true;
    }
    if (bookmarkAt !== undefined) this.#bookmark(bookmarkAt, { endOfInitialEvents: true });
    return undefined;
  }

  #follow(from: string): void {
    const { definition, namespace } = this.#selection;
    this.#reported = Math.max(this.#reported, Number(from));
    const watch = this.#serving.store.watch(definition.storageBucket, { from, namespace }, (event) =>
      this.#onEvent(event),
    );
    this.#onEnd.push(() => watch.close());
    this.#advance();
  }

  #onEvent(event: StoreEvent): void {
    if (this.#isEnding) return;
    this.#events.push(event);
    this.#advance();
    const [first] = this.#events;
    const isWaiting = this.#stream.isFull || this.#conversions.isRunning;
    if (first === undefined || this.#events.length <= mostWaiting || !isWaiting) return;
    // Aborts the watch if the client does not read or the webhook does not answer, and only this watch still references the waiting
    // objects.
    if (!this.#serving.store.remembers(first.version)) this.#stream.abort();
  }

  #advance(): void {
    this.#serving.watches.turns.request(this.#work);
  }

  readonly #work = (): void => {
    const { turns } = this.#serving.watches;
    try {
      while (!this.#isOver && !this.#stream.isFull && this.#sendNext()) {
        if (turns.isOver) return turns.request(this.#work);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // As in a kube-apiserver, the reason of a failed conversion is InternalError in a watch, and empty in other requests.
      this.#fail({ ...error.body, reason: 'InternalError' });
    }
  };

  /** Sends an ERROR event, and ends the watch. */
  #fail(status: Status): void {
    this.#feed.send('ERROR', () => status, { planned: false });
    this.#feed.end();
  }

  /**
   * Sends the next initial object, event or bookmark, or ends the watch. Returns false if nothing is left to send, or if the next object is
   * not converted yet.
   */
  #sendNext(): boolean {
    if (this.#initial !== undefined) {
      const { done, value } = this.#initial.next();
      if (done === true) this.#initial = undefined;
      return value !== false;
    }
    const [event] = this.#events;
    if (event !== undefined) {
      const ahead = (): readonly ApiObject[] =>
        this.#events.slice(0, mostConverted).flatMap((each) => this.#objectsOf(each));
      if (!this.#conversions.isReady(this.#objectsOf(event), ahead)) return false;
      this.#events.shift();
      this.#sendEvent(event);
    } else if (this.#dueBookmark !== undefined) {
      const isPeriodic = this.#dueBookmark === 'periodic';
      this.#dueBookmark = undefined;
      this.#bookmark(this.#serving.store.resourceVersion, { isPeriodic });
    } else {
      if (this.#isEnding) this.#feed.end();
      return false;
    }
    return true;
  }

  /** Sends a bookmark after the waiting events. Sends a bookmark of the kind 'changed' only for a version that the client does not know. */
  #requestBookmark(kind: DueBookmark): void {
    const isCurrent = Number(this.#serving.store.resourceVersion) <= this.#reported;
    if (kind === 'changed' && isCurrent && this.#initial === undefined && this.#events.length === 0) return;
    if (this.#dueBookmark !== 'periodic') this.#dueBookmark = kind;
    this.#advance();
  }

  /** Ends the watch after the waiting events. */
  #end(): void {
    this.#isEnding = true;
    this.#advance();
  }

  /** Returns the stored objects that `#sendEvent` reads. Omits the object before the event if the watch has no selector. */
  #objectsOf({ object, old }: StoreEvent): readonly ApiObject[] {
    return old === undefined || !this.#selection.isSelective ? [object] : [object, old];
  }

  #sendEvent(event: StoreEvent): void {
    const { definition, matches, isSelective } = this.#selection;
    const object = definition.fromStored(event.object);
    const old = event.old === undefined || !isSelective ? undefined : definition.fromStored(event.old);
    const before = isSelective ? old !== undefined && matches(old) : event.old !== undefined;
    const after = event.type !== 'DELETED' && matches(object);
    if (!before && !after) return;
    this.#reported = event.version;
    if (after) this.#send(before ? 'MODIFIED' : 'ADDED', object);
    else if (event.type === 'DELETED') this.#send('DELETED', object);
    else if (old !== undefined) this.#send('DELETED', atVersion(old, event.resourceVersion));
  }

  #send(type: WatchEventType, object: ApiObject): void {
    const { presenter } = this.#selection;
    const { resourceVersion: version } = object.metadata;
    if (presenter.showsEvents) this.#feed.send(type, () => presenter.event(object), { planned: true, version });
    else this.#feed.end();
  }

  #bookmark(resourceVersion: string, { endOfInitialEvents = false, isPeriodic = false }: BookmarkOptions): void {
    const { options, presenter } = this.#selection;
    if (!options.allowBookmarks) return;
    if (!endOfInitialEvents && !isPeriodic && Number(resourceVersion) <= this.#reported) return;
    this.#reported = Number(resourceVersion);
    if (!presenter.showsEvents) return this.#feed.end();
    this.#feed.send('BOOKMARK', () => presenter.bookmark(resourceVersion, endOfInitialEvents), {
      planned: endOfInitialEvents,
    });
  }

  #keepBookmarking(): void {
    if (!this.#selection.options.allowBookmarks) return;
    let timer: Timer | undefined;
    const arm = (): void => {
      const bookmark = (): void => {
        this.#requestBookmark('periodic');
        arm();
      };
      timer = this.#serving.clock.schedule(bookmarkPeriodMs, bookmark, upkeep);
    };
    arm();
    this.#onEnd.push(() => timer?.cancel());
  }
}

/** Returns an object that no longer matches the selectors, in its last matching state, with the version of the change. */
function atVersion(object: ApiObject, resourceVersion: string): ApiObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion } };
}
