import type { KubeObject } from '@kubewright/api';
import type { ApiReader } from './api-reader.js';
import type { CachedReader } from './cached-reader.js';
import type { Target } from './target.js';
import type { Writer } from './writer.js';

export interface PresentObjectsOptions {
  readonly reader: ApiReader;
  readonly writer: Writer;
  /** Where an object may be looked up before the server is asked. */
  readonly cachedReaderFor: (target: Target) => Promise<CachedReader | undefined>;
}

/** The objects that are there already under the names of those that are to be written. */
export class PresentObjects {
  readonly #options: PresentObjectsOptions;
  constructor(options: PresentObjectsOptions) {
    this.#options = options;
  }

  /** From the cache where there is one of the kind; what is not there is asked of the server. */
  async find<T extends KubeObject>(target: Target, wanted: T): Promise<T | undefined> {
    const cached = await this.#options.cachedReaderFor(target);
    const found = (await cached?.peek(target.kind, wanted.metadata)) as T | undefined;
    return found ?? this.live(target, wanted);
  }

  /** What is taken from here counts as read: if it goes before the watch has brought it, its deletion is told all the same. */
  async live<T extends KubeObject>(target: Target, wanted: T): Promise<T | undefined> {
    const found = (await this.#options.reader.readIfThere(target.kind, wanted.metadata)) as T | undefined;
    if (found !== undefined) await this.#options.writer.learnt(target, found);
    return found;
  }
}
