import type { KubeObject } from '@kubewright/api';
import type { ApiReader } from '../reads/api-reader.js';
import type { CachedReader } from '../reads/cached-reader.js';
import type { Target } from '../requests/target.js';
import type { Writer } from './writer.js';

export interface PresentObjectsOptions {
  readonly reader: ApiReader;
  readonly writer: Writer;
  /** Returns the cached reader of a kind; undefined if only the server can be asked. */
  readonly cachedReaderFor: (target: Target) => Promise<CachedReader | undefined>;
}

/** Finds the existing objects with the names of the objects to write. */
export class PresentObjects {
  readonly #options: PresentObjectsOptions;
  constructor(options: PresentObjectsOptions) {
    this.#options = options;
  }

  /** Returns the existing object from the cache, or from the server if the cache does not have the object. */
  async find<T extends KubeObject>(target: Target, desired: T): Promise<T | undefined> {
    const cached = await this.#options.cachedReaderFor(target);
    const found = (await cached?.peek(target.kind, desired.metadata)) as T | undefined;
    return found ?? this.live(target, desired);
  }

  /**
   * Returns the existing object from the server, and adds it to the cache. If the object is deleted before the watch delivers it, the
   * informer still reports the deletion.
   */
  async live<T extends KubeObject>(target: Target, desired: T): Promise<T | undefined> {
    const found = (await this.#options.reader.readIfThere(target.kind, desired.metadata)) as T | undefined;
    if (found !== undefined) await this.#options.writer.learnt(target, found);
    return found;
  }
}
