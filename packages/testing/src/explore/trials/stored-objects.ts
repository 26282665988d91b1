import type { ApiObject, Store } from '@kubewright/apiserver';
import type { StoredObject } from '../state/stored-object.js';

/** Kinds whose changes are not part of convergence: leases are always renewed, and events may report earlier changes. */
export const RESTLESS: ReadonlySet<string> = new Set(['Event', 'Lease']);

/**
 * The kinds whose objects `restore` does not change. The server serves the kinds of the CustomResourceDefinitions, and running processes
 * hold the Leases.
 */
const KEPT: ReadonlySet<string> = new Set(['CustomResourceDefinition', 'Lease']);

/** An object, and the bucket of the store that contains it. */
interface Entry {
  readonly bucket: string;
  readonly object: ApiObject;
}

/** Returns whether `restore` ignores an object that only the current content or only the earlier content contains. */
type IsKept = (key: string, object: StoredObject) => boolean;

/** All objects of a server at one time, by bucket and name. */
export type StoredContent = ReadonlyMap<string, Entry>;

/**
 * The current objects of a server. After the first read, reads only the writes since the previous read. Can restore earlier objects, so
 * that a trial starts from an earlier state of the server.
 */
export class StoredObjects {
  readonly #store: Store;
  readonly #entries = new Map<string, Entry>();
  /** The object from which `restore` created an object. Both have the same content, except for the resourceVersion. */
  readonly #origins = new WeakMap<ApiObject, ApiObject>();
  #version = '';
  #changes = 0;
  #all: readonly StoredObject[] | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.#read();
  }

  /** All objects, in no defined order. */
  get all(): readonly StoredObject[] {
    this.#update();
    this.#all ??= [...this.#entries.values()].map(({ object }) => object as unknown as StoredObject);
    return this.#all;
  }

  /** The number of writes since the first read, except for writes of leases and events. */
  get changes(): number {
    this.#update();
    return this.#changes;
  }

  /** Returns the current objects. */
  content(): StoredContent {
    this.#update();
    return new Map(this.#entries);
  }

  /**
   * Creates, updates and deletes the objects that differ from an earlier content. Clients and controllers observe these writes as they
   * observe the writes of another client. The objects get their earlier content with a new resourceVersion, and also their earlier uids.
   *
   * @param isKept reports whether to ignore an object that only the current content or only the earlier content contains
   */
  restore(content: StoredContent, isKept: IsKept): void {
    this.#update();
    const stays = (key: string, object: ApiObject): boolean =>
      KEPT.has(object.kind) || isKept(key, object as unknown as StoredObject);
    for (const [key, { bucket, object }] of this.#entries) {
      if (!content.has(key) && !stays(key, object)) this.#store.delete(bucket, object.metadata);
    }
    for (const [key, { bucket, object }] of content) {
      const current = this.#entries.get(key)?.object;
      if (current !== undefined && this.#origin(current) === this.#origin(object)) continue;
      if (current === undefined ? stays(key, object) : KEPT.has(object.kind)) continue;
      this.#origins.set(this.#write({ bucket, object }, current), this.#origin(object));
    }
  }

  #write({ bucket, object }: Entry, current: ApiObject | undefined): ApiObject {
    if (current?.metadata.uid === object.metadata.uid) return this.#store.update(bucket, object);
    if (current !== undefined) this.#store.delete(bucket, object.metadata);
    return this.#store.create(bucket, object);
  }

  #origin(object: ApiObject): ApiObject {
    return this.#origins.get(object) ?? object;
  }

  #update(): void {
    if (this.#version === this.#store.resourceVersion) return;
    this.#all = undefined;
    if (!this.#store.remembers(Number(this.#version) + 1)) return this.#read();
    for (const { bucket, type, object } of this.#store.writesAfter(this.#version)) {
      if (type === 'DELETED') this.#entries.delete(keyOf(bucket, object));
      else this.#note(bucket, object);
      if (!RESTLESS.has(object.kind)) this.#changes++;
    }
    this.#version = this.#store.resourceVersion;
  }

  /** Reads all objects. Also called if the store no longer has the writes since the previous read. */
  #read(): void {
    this.#entries.clear();
    for (const { put: bucket, object } of this.#store.everything().entries) this.#note(bucket, object);
    this.#version = this.#store.resourceVersion;
    this.#changes++;
  }

  #note(bucket: string, object: ApiObject): void {
    this.#entries.set(keyOf(bucket, object), { bucket, object });
  }
}

function keyOf(bucket: string, { metadata: { namespace = '', name } }: ApiObject): string {
  return `${bucket} ${namespace}/${name}`;
}
