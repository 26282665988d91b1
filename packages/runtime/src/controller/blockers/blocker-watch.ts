import { controllerOf, type KindRef, type KubeObject, type ObjectKey } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { kindOf } from '@kubewright/api/metadata';
import { formatKey, keyOf } from '../../cache/store/object-key.js';
import { isNewer } from '../../cache/store/overlay.js';
import { retryWithBackOff } from '../../waiting/retry-with-back-off.js';
import type { WatchEvent, WatchOptions } from '../../client/reads/live-reader.js';
import type { ReadOptions } from '../../cache/store/read-options.js';
import type { Logger } from '../../log/logger.js';

/** A foreign object that uses the name of a child, in the version that a run found. */
export interface Blocker {
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: string;
  /** The uid of the owner that controls the foreign object. Undefined if no owner controls the object. */
  readonly controller: string | undefined;
}

/** Returns the blocker for a foreign object that uses the name of a child. */
export function blockerOf(object: KubeObject): Blocker {
  const { uid, resourceVersion } = object.metadata;
  return { key: keyOf(object), uid, resourceVersion, controller: controllerOf(object)?.uid };
}

/** Whether the foreign object still prevents the child from using the name: it has the same uid and the same controller owner as before. */
export function blocksAs(now: Blocker, before: Blocker): boolean {
  return now.uid === before.uid && now.controller === before.controller;
}

/** Reads and watches foreign objects. `LiveReader` implements this interface. */
export interface BlockerReader {
  find(kind: KindRef, key: ObjectKey, options: ReadOptions): Promise<KubeObject | undefined>;
  pages(kind: KindRef, options: BlockerSelection & PageLimit): AsyncIterable<{ readonly resourceVersion: string }>;
  watch(kind: KindRef, options: BlockerSelection & WatchStart): AsyncIterable<WatchEvent<KubeObject>>;
}
/** The objects that a watch covers: one namespace or all, optionally restricted by field selectors. */
export interface BlockerSelection {
  readonly namespace?: string;
  readonly fields?: Readonly<Record<string, string>>;
}
type PageLimit = ReadOptions & { readonly limit: number };
type WatchStart = Required<Pick<WatchOptions<KubeObject>, 'resourceVersion' | 'resume' | 'signal'>>;

export interface BlockerWatchOptions {
  readonly live: BlockerReader;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The kind of the foreign objects. The watch reads only their metadata. */
  readonly kind: KindRef;
  readonly selection: BlockerSelection;
  /**
   * Called once for each foreign object that was deleted, was recreated, or has another controller owner. The watch then ignores this key.
   */
  readonly onFreed: (key: ObjectKey) => void;
}

/**
 * Watches foreign objects with one watch, and ignores all other objects. The watch starts at the current resourceVersion of the collection,
 * because the server may no longer have the version that a run found. This class then reads each foreign object once, to detect changes
 * before the start of the watch. After an error or an expired resourceVersion, the watch starts again with back-off.
 */
export class BlockerWatch {
  readonly #options: BlockerWatchOptions;
  readonly #blockers = new Map<string, Blocker>();
  readonly #work = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  /** The foreign objects that were added after the watch started and that have not been read yet. */
  readonly #unchecked = new Set<Blocker>();
  #isListed = false;
  #isChecking = false;

  constructor(options: BlockerWatchOptions) {
    this.#options = options;
    this.#start(() => this.#follow());
  }

  get isEmpty(): boolean {
    return this.#blockers.size === 0;
  }

  add(blocker: Blocker): void {
    this.#blockers.set(formatKey(blocker.key), blocker);
    if (!this.#isListed) return;
    this.#unchecked.add(blocker);
    if (!this.#isChecking) this.#start(() => this.#checkAdded());
  }

  delete(key: ObjectKey): void {
    this.#blockers.delete(formatKey(key));
  }

  /** Stops the watch. Resolves when the watch has ended. */
  async close(): Promise<void> {
    this.#blockers.clear();
    this.#ending.abort();
    await Promise.all(this.#work);
  }

  /** Calls `attempt` repeatedly with back-off until it succeeds or the watch is closed. */
  #start(attempt: () => Promise<void>): void {
    const { clock, logger, kind } = this.#options;
    const { signal } = this.#ending;
    const onFailure = (error: unknown): void =>
      logger.debug(
        `cannot watch the ${kindOf(kind).kind} objects that already use the names of children; trying again`,
        {
          error,
        },
      );
    const ended = retryWithBackOff(attempt, { clock, signal, onFailure }).then(
      () => void this.#work.delete(ended),
      () => void this.#work.delete(ended),
    );
    this.#work.add(ended);
  }

  async #follow(): Promise<void> {
    const { live, kind, selection } = this.#options;
    const { signal } = this.#ending;
    const resourceVersion = await this.#currentVersion();
    this.#isListed = true;
    for (const blocker of this.#blockers.values()) await this.#check(blocker);
    const where = { ...selection, resourceVersion, resume: true, signal };
    for await (const event of live.watch(kind, where)) this.#saw(event);
  }

  async #currentVersion(): Promise<string> {
    const { live, kind, selection } = this.#options;
    const { signal } = this.#ending;
    for await (const { resourceVersion } of live.pages(kind, { ...selection, limit: 1, signal }))
      return resourceVersion;
    return '';
  }

  async #checkAdded(): Promise<void> {
    this.#isChecking = true;
    for (const blocker of this.#unchecked) {
      await this.#check(blocker);
      this.#unchecked.delete(blocker);
    }
    this.#isChecking = false;
  }

  async #check(blocker: Blocker): Promise<void> {
    const { live, kind } = this.#options;
    if (this.#blockers.get(formatKey(blocker.key)) !== blocker) return;
    const object = await live.find(kind, blocker.key, { signal: this.#ending.signal });
    this.#compare(blocker, object);
  }

  /** Compares a watched foreign object with the object of an event. Ignores events that are older than the version that a run found. */
  #saw({ type, object }: WatchEvent<KubeObject>): void {
    const blocker = this.#blockers.get(formatKey(object.metadata));
    if (blocker === undefined || isNewer(blocker.resourceVersion, object.metadata.resourceVersion)) return;
    this.#compare(blocker, type === 'deleted' ? undefined : object);
  }

  #compare(blocker: Blocker, now: KubeObject | undefined): void {
    const id = formatKey(blocker.key);
    if (this.#blockers.get(id) !== blocker) return;
    if (now !== undefined && blocksAs(blockerOf(now), blocker)) return;
    this.#blockers.delete(id);
    this.#options.onFreed(blocker.key);
  }
}
