import type { KubeObject } from '@kubewright/api';
import type { ApiReader } from '../reads/api-reader.js';
import type { CachedReader } from '../reads/cached-reader.js';
import type { Target } from '../requests/target.js';
import { isOfNamesake, replacedOwner } from './taken-name.js';
import type { Writer } from './writer.js';

export interface PresentObjectsOptions {
  readonly reader: ApiReader;
  readonly writer: Writer;
  /** Returns the cached reader of a kind. Returns undefined if only the API server can be read. */
  readonly cachedReaderFor: (target: Target) => Promise<CachedReader | undefined>;
}

/** Finds existing objects before a write. */
export class PresentObjects {
  readonly #options: PresentObjectsOptions;
  constructor(options: PresentObjectsOptions) {
    this.#options = options;
  }

  /**
   * Returns the existing object with the key of the desired object from the cache, or from the API server if the object is not cached.
   * Returns undefined if the object does not exist.
   */
  async find<T extends KubeObject>(target: Target, desired: T): Promise<T | undefined> {
    const cached = await this.#options.cachedReaderFor(target);
    const found = (await cached?.peek(target.kind, desired.metadata)) as T | undefined;
    return found ?? this.live(target, desired);
  }

  /**
   * Returns the existing object from the API server, and adds the object to the cache. Returns undefined if the object does not exist. If
   * the object is deleted before the watch delivers the object, the informer reports the deletion.
   */
  async live<T extends KubeObject>(target: Target, desired: T): Promise<T | undefined> {
    const found = (await this.#options.reader.readIfExists(target.kind, desired.metadata)) as T | undefined;
    if (found !== undefined) this.#options.writer.learnt(target, found);
    return found;
  }

  /**
   * Rejects with STALE_CHILD if the given owner no longer exists, and a newer owner of the same name controls the existing object. This can
   * happen if the cache is behind after a restart. If the existing object had a reference to the given owner, the garbage collector would
   * delete the existing object.
   */
  async assertOwner(present: KubeObject, owner: KubeObject): Promise<void> {
    if (!isOfNamesake(present, owner)) return;
    if (!(await this.isCurrent(await this.#options.writer.targetOf(owner), owner))) throw replacedOwner(present, owner);
  }

  /** Whether the API server has this object with the same uid. Always sends a request, because the cache can contain an older object. */
  async isCurrent(target: Target, { metadata }: KubeObject): Promise<boolean> {
    const found = await this.#options.reader.readIfExists(target.kind, metadata);
    return found?.metadata.uid === metadata.uid;
  }
}
