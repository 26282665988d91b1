import type { Steps } from '@kubewright/api/apply';
import { checkSize, checkSizeSteps } from './check-size.js';
import { EventLog, type StoreEvent } from './event-log.js';
import { copyJson, deepFreeze } from '@kubewright/api/json';
import type { Journal, JournalContent, JournalEntry } from './journal.js';
import { mostStoredBytes, storedBytes } from './object-memory.js';
import { alreadyExists, expired, failure, modifiedMeanwhile, notFound } from './storage-error.js';
import type { ApiObject, ObjectKey } from './api-object.js';
import { ObjectRange } from './object-range.js';
import { SortedObjects } from './sorted-objects.js';
import { type StoreWatch, Watcher } from './watcher.js';

/** The default maximum number of events that a store keeps. */
export const defaultEventLogSize = 4096;
/**
 * The multiple of the storage quota above which the store refuses updates that need more memory. Between the quota and this multiple, the
 * store refuses only new objects.
 */
const updateReserve = 1.1;
const nothing: readonly ApiObject[] = [];

/**
 * Stores all objects of a server in memory.
 * - A bucket contains the objects of one resource. The name of the bucket is `group/plural`, so all versions of a kind share the bucket.
 * - All buckets share one resourceVersion, which each write increments. The resourceVersions therefore order all writes.
 * - Every method except `durable` and `prepareSteps` is synchronous, and the store deeply freezes the objects of each write.
 * - A watcher receives every write after its start exactly once, in the order of the resourceVersions.
 * - If the journal refuses a write, the store throws the error of the journal and does not apply the write. If the store has a journal, the
 *   caller must wait for `durable` before the caller reports a write to a client.
 */
export class Store {
  readonly #buckets = new Map<string, SortedObjects>();
  /** The cached results of `list` by bucket and namespace. A write to a bucket clears the results of this bucket. */
  readonly #lists = new Map<string, Map<string | undefined, readonly ApiObject[]>>();
  /**
   * The last result of `rangeAt` for a past version. The pages of one paged list all request the same version, so they share this result.
   */
  #past: { readonly bucket: string; readonly version: number; readonly objects: SortedObjects } | undefined;
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #commitListeners = new Set<() => void>();
  readonly #log: EventLog;
  readonly #storageQuotaBytes: number;
  /** The estimated memory of all objects, in bytes. */
  #bytes = 0;
  /** The objects that `prepareSteps` has checked and frozen. */
  readonly #prepared = new WeakSet<object>();
  #version = 1;
  #delivering = 0;
  #journal: Journal | undefined;

  /**
   * @param options.eventLogSize the maximum number of events that the store keeps, so that watches can resume. The store keeps fewer events
   * if the objects of the events take more than 64 MiB or a tenth of the heap. @default 4096
   * @param options.storageQuotaBytes the maximum estimated memory of all objects, in bytes. @default two fifths of the heap of the process
   * @param options.content the initial content. @default no objects
   */
  constructor(
    options: {
      readonly eventLogSize?: number;
      readonly storageQuotaBytes?: number;
      readonly content?: JournalContent;
    } = {},
  ) {
    const { content } = options;
    this.#storageQuotaBytes = options.storageQuotaBytes ?? mostStoredBytes;
    if (content !== undefined) this.#version = content.version;
    this.#log = new EventLog(options.eventLogSize ?? defaultEventLogSize, this.#version);
    if (content !== undefined) this.#restore(content);
  }

  /** Appends all later writes to a journal. */
  keepIn(journal: Journal): void {
    this.#journal = journal;
  }

  /**
   * Resolves when all writes so far are durable. Returns undefined if all these writes are already durable, or if the store has no journal.
   * Rejects if the journal does not know whether the writes are durable.
   */
  durable(): Promise<void> | undefined {
    return this.#journal?.durable();
  }

  /** Returns the number of all objects, and the current objects as journal entries. Later writes do not change the entries. */
  everything(): { readonly count: number; readonly entries: Iterable<Extract<JournalEntry, { put: string }>> } {
    const ranges = [...this.#buckets].map(([put, objects]) => ({ put, objects: objects.range() }));
    return { count: ranges.reduce((count, { objects }) => count + objects.length, 0), entries: putsOf(ranges) };
  }

  /** The version of the last write, as decimal digits; '1' before the first write. */
  get resourceVersion(): string {
    return String(this.#version);
  }

  get(bucket: string, key: ObjectKey): ApiObject | undefined {
    return this.#buckets.get(bucket)?.get(key);
  }

  /**
   * Returns the objects of a bucket, or of one namespace in the bucket, sorted by namespace and name. Returns the same array until the next
   * write to the bucket.
   */
  list(bucket: string, { namespace }: { readonly namespace?: string | undefined } = {}): readonly ApiObject[] {
    const known = this.#lists.get(bucket)?.get(namespace);
    if (known !== undefined) return known;
    const range = this.range(bucket, { namespace });
    if (range.length === 0) return nothing;
    const objects = [...range];
    const lists = this.#lists.get(bucket) ?? new Map<string | undefined, readonly ApiObject[]>();
    this.#lists.set(bucket, lists.set(namespace, objects));
    return objects;
  }

  /** Returns the same objects as `list`, but does not copy them into an array. */
  range(bucket: string, { namespace }: { readonly namespace?: string | undefined } = {}): ObjectRange {
    return this.#buckets.get(bucket)?.range(namespace) ?? ObjectRange.empty;
  }

  /**
   * Returns the objects that a bucket contained at a resourceVersion, sorted like the result of `list`. Throws 410 Expired if the events
   * after this version were compacted.
   */
  rangeAt(
    bucket: string,
    { resourceVersion, namespace }: { readonly resourceVersion: string; readonly namespace?: string | undefined },
  ): ObjectRange {
    const version = this.#known(resourceVersion);
    if (this.#past?.bucket === bucket && this.#past.version === version) return this.#past.objects.range(namespace);
    const undone = this.#log.after(version).filter((event) => event.bucket === bucket);
    if (undone.length === 0) return this.range(bucket, { namespace });
    const objects = this.#bucket(bucket).copy();
    for (const event of undone.toReversed()) {
      if (event.old === undefined) objects.delete(event.object.metadata);
      else objects.set(event.old);
    }
    this.#past = { bucket, version, objects };
    return objects.range(namespace);
  }

  /**
   * Adds an object and returns the object with its resourceVersion. Throws 409 AlreadyExists if the key is in use, 413 if the object has
   * too many values, and 500 if the object is too large or the store is full.
   */
  create(bucket: string, object: Omit<ApiObject, 'metadata'> & { readonly metadata: object }): ApiObject {
    const key = object.metadata as ObjectKey;
    const objects = this.#bucket(bucket);
    if (objects.get(key) !== undefined) throw alreadyExists(bucket, key.name);
    if (!this.#prepared.has(object)) checkSize(object);
    const stored = this.#stamp(object);
    const bytes = this.#bytesAfter(stored, undefined);
    this.#journal?.append({ put: bucket, object: stored });
    this.#bytes = bytes;
    objects.set(stored);
    this.#commit({ bucket, type: 'ADDED', object: stored });
    return stored;
  }

  /**
   * Checks the size of an object and freezes it, in steps. `create` and `update` then take less time for this object. Throws 413 if the
   * object has too many values, and 500 if the object is too large.
   */
  *prepareSteps(object: object): Steps<void> {
    yield* checkSizeSteps(object);
    yield;
    deepFreeze(object);
    this.#prepared.add(object);
    yield;
    storedBytes(object);
    yield;
  }

  /**
   * Replaces an object and returns the object with its new resourceVersion. Throws 404 NotFound if the object does not exist, and 409
   * Conflict if `expected` is set and is not the stored resourceVersion. Throws 413 and 500 for the same reasons as `create`, but an update
   * can exceed the storage quota by 10 percent, because the deletion of an object with finalizers adds fields to the object.
   */
  update(
    bucket: string,
    object: Omit<ApiObject, 'metadata'> & { readonly metadata: object },
    { expected }: { readonly expected?: string | undefined } = {},
  ): ApiObject {
    const key = object.metadata as ObjectKey;
    const old = this.#present(bucket, key, expected);
    if (!this.#prepared.has(object)) checkSize(object);
    const stored = this.#stamp(object);
    const bytes = this.#bytesAfter(stored, old);
    this.#journal?.append({ put: bucket, object: stored });
    this.#bytes = bytes;
    this.#bucket(bucket).set(stored);
    this.#commit({ bucket, type: 'MODIFIED', object: stored, old });
    return stored;
  }

  /** Deletes an object and returns its last state with the version of the deletion. Throws 404 and 409 as `update` does. */
  delete(bucket: string, key: ObjectKey, { expected }: { readonly expected?: string | undefined } = {}): ApiObject {
    const old = this.#present(bucket, key, expected);
    const stored = this.#stamp(old);
    const { namespace, name } = key;
    const named = namespace === undefined ? { name } : { namespace, name };
    this.#journal?.append({ delete: bucket, key: named, version: this.#version + 1 });
    this.#bytes -= storedBytes(old);
    this.#bucket(bucket).delete(key);
    this.#commit({ bucket, type: 'DELETED', object: stored, old });
    return stored;
  }

  /**
   * Calls the listener for each write to the bucket after version `from`. With `namespace`, skips the writes to other namespaces. Delivers
   * past writes before this method returns, and later writes when they happen. Throws 410 Expired if events after `from` were compacted.
   */
  watch(
    bucket: string,
    { from, namespace }: { readonly from: string; readonly namespace?: string | undefined },
    listener: (event: StoreEvent) => void,
  ): StoreWatch {
    const version = this.#known(from);
    const watchers = this.#watchersOf(bucket);
    const watcher = new Watcher({
      namespace,
      listener: (event) => {
        if (event.version > version) listener(event);
      },
      onClose: (closed) => watchers.delete(closed),
    });
    for (const event of this.#log.after(version)) if (event.bucket === bucket) watcher.offer(event);
    watchers.add(watcher);
    watcher.deliver();
    return watcher;
  }

  /**
   * Calls the listener after a write to any bucket, when all watchers have received the write. If a watcher's listener also writes during
   * this delivery, the listener of `onCommit` is called only once for all these writes. Returns a function that removes the listener.
   */
  onCommit(listener: () => void): () => void {
    this.#commitListeners.add(listener);
    return () => this.#commitListeners.delete(listener);
  }

  /** Returns the writes after a resourceVersion, oldest first. Throws 410 Expired if some of these writes were compacted. */
  writesAfter(resourceVersion: string): readonly StoreEvent[] {
    return this.#log.after(this.#known(resourceVersion));
  }

  /** Drops the events up to and including a version. Watches and lists from an earlier version then fail with 410 Expired. */
  compact(resourceVersion: string): void {
    this.#log.compact(Math.min(Number(resourceVersion), this.#version));
    this.#past = undefined;
  }

  /** Returns whether the event log still contains the event of this version. Returns true for a future version. */
  remembers(version: number): boolean {
    return version > this.#log.compacted;
  }

  #known(resourceVersion: string): number {
    const version = Number(resourceVersion);
    if (version < this.#log.compacted) throw expired(version, this.#log.compacted);
    return version;
  }

  #present(bucket: string, key: ObjectKey, expected: string | undefined): ApiObject {
    const old = this.get(bucket, key);
    if (old === undefined) throw notFound(bucket, key.name);
    if (expected !== undefined && expected !== old.metadata.resourceVersion) throw modifiedMeanwhile(bucket, key);
    return old;
  }

  /**
   * Returns the estimated memory of all objects after a write, in bytes. Throws 500 with etcd's message if the store is full and the write
   * increases the memory.
   */
  #bytesAfter(object: ApiObject, old: ApiObject | undefined): number {
    const added = storedBytes(object) - (old === undefined ? 0 : storedBytes(old));
    const bytes = this.#bytes + added;
    const most = old === undefined ? this.#storageQuotaBytes : this.#storageQuotaBytes * updateReserve;
    if (added > 0 && bytes > most) throw failure(500, '', 'etcdserver: mvcc: database space exceeded');
    return bytes;
  }

  #stamp(object: Omit<ApiObject, 'metadata'> & { readonly metadata: object }): ApiObject {
    const resourceVersion = String(this.#version + 1);
    return deepFreeze({ ...object, metadata: { ...object.metadata, resourceVersion } }) as ApiObject;
  }

  #restore({ objects, entries }: JournalContent): void {
    for (const { put, object } of objects) this.#bucket(put).set(deepFreeze(copyJson(object)));
    for (const entry of entries) this.#redo(entry);
    for (const { object } of this.everything().entries) this.#bytes += storedBytes(object);
  }

  /** Applies a write from the journal of an earlier process. No watcher exists at this point. */
  #redo(entry: JournalEntry): void {
    const bucket = 'put' in entry ? entry.put : entry.delete;
    const objects = this.#bucket(bucket);
    const key = 'put' in entry ? entry.object.metadata : entry.key;
    const old = objects.get(key);
    if ('put' in entry) {
      const object = deepFreeze<ApiObject>(copyJson(entry.object));
      this.#version = Number(object.metadata.resourceVersion);
      objects.set(object);
      this.#record({ bucket, type: old === undefined ? 'ADDED' : 'MODIFIED', object, ...(old && { old }) });
    } else if (old !== undefined) {
      this.#version = entry.version;
      objects.delete(key);
      const metadata = { ...old.metadata, resourceVersion: this.resourceVersion };
      this.#record({ bucket, type: 'DELETED', object: deepFreeze({ ...old, metadata }) as ApiObject, old });
    }
  }

  #record(write: Pick<StoreEvent, 'bucket' | 'type' | 'object' | 'old'>): StoreEvent {
    const event: StoreEvent = Object.freeze({
      ...write,
      version: this.#version,
      resourceVersion: this.resourceVersion,
    });
    this.#log.append(event);
    this.#lists.delete(event.bucket);
    // After the log has dropped an event that is newer than `#past`, `rangeAt` throws 410 Expired for this version. The store no longer
    // needs `#past`.
    if (this.#past !== undefined && this.#past.version < this.#log.compacted) this.#past = undefined;
    return event;
  }

  #commit(write: Pick<StoreEvent, 'bucket' | 'type' | 'object' | 'old'>): void {
    this.#version += 1;
    const event = this.#record(write);
    const watchers = [...(this.#watchers.get(event.bucket) ?? [])];
    this.#delivering += 1;
    try {
      for (const watcher of watchers) watcher.offer(event);
      for (const watcher of watchers) watcher.deliver();
    } finally {
      this.#delivering -= 1;
    }
    if (this.#delivering === 0) for (const listener of this.#commitListeners) listener();
  }

  #bucket(bucket: string): SortedObjects {
    const existing = this.#buckets.get(bucket);
    if (existing !== undefined) return existing;
    const created = SortedObjects.empty();
    this.#buckets.set(bucket, created);
    return created;
  }

  #watchersOf(bucket: string): Set<Watcher> {
    const existing = this.#watchers.get(bucket);
    if (existing !== undefined) return existing;
    const created = new Set<Watcher>();
    this.#watchers.set(bucket, created);
    return created;
  }
}

function* putsOf(
  ranges: readonly { readonly put: string; readonly objects: ObjectRange }[],
): Generator<Extract<JournalEntry, { put: string }>, undefined> {
  for (const { put, objects } of ranges) for (const object of objects) yield { put, object };
  return undefined;
}
