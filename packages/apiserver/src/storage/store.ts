import type { Steps } from '@kubewright/api/apply';
import { checkSize, checkSizeSteps } from './check-size.js';
import { EventLog, type StoreEvent } from './event-log.js';
import { copyJson, deepFreeze } from '@kubewright/api/json';
import type { Journal, JournalContent, JournalEntry } from './journal.js';
import { mostStoredBytes, storedBytes } from './object-memory.js';
import { alreadyExists, expired, failure, modifiedMeanwhile, notFound } from './storage-error.js';
import type { ObjectKey, StoredObject } from './stored-object.js';
import { type StoreWatch, Watcher } from './watcher.js';

/** How many events a store keeps unless told otherwise. */
export const defaultEventLogSize = 4096;
/** How much more memory objects may take before updates are refused than before new objects are refused. */
const updateReserve = 1.1;

/**
 * All objects of a server, in memory. It has one writer and one resourceVersion for everything: each write takes the next
 * number, so versions order all writes. Objects are deeply frozen when written. A bucket is `group/plural`; versions of a
 * kind share it. Every call is synchronous; a watcher sees every write after its start exactly once and in order. With a
 * journal, a write that it does not take is not made; who tells others of a write waits for `durable` first.
 */
export class Store {
  readonly #buckets = new Map<string, Map<string, StoredObject>>();
  /** What lists of a bucket gave, by namespace, until the next write to it: a list in pages asks for the same again and again. */
  readonly #lists = new Map<string, Map<string | undefined, readonly StoredObject[]>>();
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #commitListeners = new Set<() => void>();
  readonly #log: EventLog;
  readonly #storageQuotaBytes: number;
  /** The estimated memory of all objects. */
  #bytes = 0;
  /** Objects whose size is checked, and that cannot change. */
  readonly #prepared = new WeakSet<object>();
  #version = 1;
  #delivering = 0;
  #journal: Journal | undefined;

  /**
   * @param options.eventLogSize how many events are kept for watches to resume from, at most 64 MiB or a tenth of the heap. @default 4096
   * @param options.storageQuotaBytes the most memory of all objects, in bytes, estimated. @default two fifths of the heap of the process
   * @param options.content what to begin with. @default nothing
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

  /** Hands every write from now on to a journal. */
  keepIn(journal: Journal): void {
    this.#journal = journal;
  }

  /** Resolves when no write so far can be lost any more; undefined when that is so. Rejects when it cannot be known. */
  durable(): Promise<void> | undefined {
    return this.#journal?.durable();
  }

  /** Every object with its bucket. */
  everything(): readonly Extract<JournalEntry, { put: string }>[] {
    return [...this.#buckets].flatMap(([put, objects]) => [...objects.values()].map((object) => ({ put, object })));
  }

  /** The version of the last write, in digits; '1' before the first. */
  get resourceVersion(): string {
    return String(this.#version);
  }

  get(bucket: string, key: ObjectKey): StoredObject | undefined {
    return this.#buckets.get(bucket)?.get(keyText(key));
  }

  /** The objects of a bucket, by namespace, then by name. */
  list(bucket: string, { namespace }: { readonly namespace?: string | undefined } = {}): readonly StoredObject[] {
    let lists = this.#lists.get(bucket);
    if (lists === undefined) this.#lists.set(bucket, (lists = new Map()));
    let objects = lists.get(namespace);
    if (objects === undefined) {
      objects = sorted(this.#buckets.get(bucket)?.values() ?? [], namespace);
      if (objects.length > 0) lists.set(namespace, objects);
    }
    return objects;
  }

  /** What `list` gave when `resourceVersion` was the version of the store. Throws 410 Expired when that is forgotten. */
  listAt(
    bucket: string,
    { resourceVersion, namespace }: { readonly resourceVersion: string; readonly namespace?: string | undefined },
  ): readonly StoredObject[] {
    const version = this.#known(resourceVersion);
    const undone = this.#log.after(version).filter((event) => event.bucket === bucket);
    if (undone.length === 0) return this.list(bucket, { namespace });
    const objects = new Map(this.#buckets.get(bucket));
    for (const event of undone.toReversed()) {
      const key = keyText(event.object.metadata);
      if (event.old === undefined) objects.delete(key);
      else objects.set(key, event.old);
    }
    return sorted(objects.values(), namespace);
  }

  /**
   * Adds an object and returns it with its resourceVersion. Throws 409 AlreadyExists, 413 or 500 for an object that is too large, and 500 if
   * the store is full.
   */
  create(bucket: string, object: Omit<StoredObject, 'metadata'> & { readonly metadata: object }): StoredObject {
    const key = keyText(object.metadata as ObjectKey);
    const objects = this.#bucket(bucket);
    if (objects.has(key)) throw alreadyExists(bucket, (object.metadata as ObjectKey).name);
    if (!this.#prepared.has(object)) checkSize(object);
    const stored = this.#stamp(object);
    const bytes = this.#bytesAfter(stored, undefined);
    this.#journal?.append({ put: bucket, object: stored });
    this.#bytes = bytes;
    objects.set(key, stored);
    this.#commit({ bucket, type: 'ADDED', object: stored });
    return stored;
  }

  /**
   * Checks the size of an object and freezes it, in steps. `create` and `update` then take less time for this object. Throws 413 or 500 for
   * an object that is too large.
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
   * Replaces an object. Throws 404 NotFound, 409 Conflict when `expected` is not the version that is stored, and 413 or 500 as `create` does.
   * In a full store, objects can grow a little, because a deletion with finalizers adds to an object, too.
   */
  update(
    bucket: string,
    object: Omit<StoredObject, 'metadata'> & { readonly metadata: object },
    { expected }: { readonly expected?: string | undefined } = {},
  ): StoredObject {
    const key = object.metadata as ObjectKey;
    const old = this.#present(bucket, key, expected);
    if (!this.#prepared.has(object)) checkSize(object);
    const stored = this.#stamp(object);
    const bytes = this.#bytesAfter(stored, old);
    this.#journal?.append({ put: bucket, object: stored });
    this.#bytes = bytes;
    this.#bucket(bucket).set(keyText(key), stored);
    this.#commit({ bucket, type: 'MODIFIED', object: stored, old });
    return stored;
  }

  /** Removes an object and returns its last state with the version of the deletion. Throws 404 and 409 as `update` does. */
  delete(bucket: string, key: ObjectKey, { expected }: { readonly expected?: string | undefined } = {}): StoredObject {
    const old = this.#present(bucket, key, expected);
    const stored = this.#stamp(old);
    const { namespace, name } = key;
    const named = namespace === undefined ? { name } : { namespace, name };
    this.#journal?.append({ delete: bucket, key: named, version: this.#version + 1 });
    this.#bytes -= storedBytes(old);
    this.#bucket(bucket).delete(keyText(key));
    this.#commit({ bucket, type: 'DELETED', object: stored, old });
    return stored;
  }

  /**
   * Calls the listener for every write to the bucket after version `from`: first for those of the past, before this
   * returns, then as they happen. Throws 410 Expired when the events after `from` are no longer all there.
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

  /** Calls the listener after writes to any bucket, once their watchers have seen them. Returns what ends it. */
  onCommit(listener: () => void): () => void {
    this.#commitListeners.add(listener);
    return () => this.#commitListeners.delete(listener);
  }

  /** Forgets the events up to and including a version: watches and lists from before it answer 410 from now on. */
  compact(resourceVersion: string): void {
    this.#log.compact(Math.min(Number(resourceVersion), this.#version));
  }

  /** Whether the store still has the event of a version. */
  remembers(version: number): boolean {
    return version > this.#log.compacted;
  }

  #known(resourceVersion: string): number {
    const version = Number(resourceVersion);
    if (version < this.#log.compacted) throw expired(version, this.#log.compacted);
    return version;
  }

  #present(bucket: string, key: ObjectKey, expected: string | undefined): StoredObject {
    const old = this.get(bucket, key);
    if (old === undefined) throw notFound(bucket, key.name);
    if (expected !== undefined && expected !== old.metadata.resourceVersion) throw modifiedMeanwhile(bucket, key);
    return old;
  }

  /** Returns the memory of all objects after a write. Throws 500 in etcd's words if the store is full and the write adds to it. */
  #bytesAfter(object: StoredObject, old: StoredObject | undefined): number {
    const added = storedBytes(object) - (old === undefined ? 0 : storedBytes(old));
    const bytes = this.#bytes + added;
    const most = old === undefined ? this.#storageQuotaBytes : this.#storageQuotaBytes * updateReserve;
    if (added > 0 && bytes > most) throw failure(500, '', 'etcdserver: mvcc: database space exceeded');
    return bytes;
  }

  #stamp(object: Omit<StoredObject, 'metadata'> & { readonly metadata: object }): StoredObject {
    const resourceVersion = String(this.#version + 1);
    return deepFreeze({ ...object, metadata: { ...object.metadata, resourceVersion } }) as StoredObject;
  }

  #restore({ objects, entries }: JournalContent): void {
    for (const { put, object } of objects)
      this.#bucket(put).set(keyText(object.metadata), deepFreeze(copyJson(object)));
    for (const entry of entries) this.#redo(entry);
    for (const { object } of this.everything()) this.#bytes += storedBytes(object);
  }

  /** Makes a write again that was made before this process began; nobody watches yet. */
  #redo(entry: JournalEntry): void {
    const bucket = 'put' in entry ? entry.put : entry.delete;
    const objects = this.#bucket(bucket);
    const key = keyText('put' in entry ? entry.object.metadata : entry.key);
    const old = objects.get(key);
    if ('put' in entry) {
      const object = deepFreeze<StoredObject>(copyJson(entry.object));
      this.#version = Number(object.metadata.resourceVersion);
      objects.set(key, object);
      this.#record({ bucket, type: old === undefined ? 'ADDED' : 'MODIFIED', object, ...(old && { old }) });
    } else if (old !== undefined) {
      this.#version = entry.version;
      objects.delete(key);
      const metadata = { ...old.metadata, resourceVersion: this.resourceVersion };
      this.#record({ bucket, type: 'DELETED', object: deepFreeze({ ...old, metadata }) as StoredObject, old });
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

  #bucket(bucket: string): Map<string, StoredObject> {
    const existing = this.#buckets.get(bucket);
    if (existing !== undefined) return existing;
    const created = new Map<string, StoredObject>();
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

function keyText({ namespace, name }: ObjectKey): string {
  return `${namespace ?? ''}/${name}`;
}

function sorted(objects: Iterable<StoredObject>, namespace: string | undefined): readonly StoredObject[] {
  const chosen = [...objects].filter((object) => namespace === undefined || object.metadata.namespace === namespace);
  return chosen.toSorted((a, b) => {
    const order = compareText(a.metadata.namespace ?? '', b.metadata.namespace ?? '');
    return order === 0 ? compareText(a.metadata.name, b.metadata.name) : order;
  });
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
