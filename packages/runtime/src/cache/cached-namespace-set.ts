import { KubewrightError } from '@kubewright/api/errors';
import { OTHER_NAMESPACES } from './selection/cache-options.js';
import { invalid, NAMESPACE, type ResolvedCacheOptions } from './selection/resolve-cache-options.js';

/** Provides the options of a cache, whose namespaces can change at run time. */
export class CachedNamespaceSet {
  #options: ResolvedCacheOptions;

  constructor(options: ResolvedCacheOptions) {
    this.#options = options;
  }

  /** The options with the current namespaces. */
  get current(): ResolvedCacheOptions {
    return this.#options;
  }

  /** The namespaces of the cache. Undefined if the cache contains all namespaces. */
  get names(): readonly string[] | undefined {
    const { namespaces } = this.#options;
    if (namespaces === undefined || namespaces.has(OTHER_NAMESPACES)) return undefined;
    return [...namespaces.keys()];
  }

  /**
   * Adds a namespace if the cache does not contain it yet. Throws NAMESPACES_FIXED if the cache contains all namespaces, and INVALID_CACHE
   * if the name is not valid.
   */
  add(namespace: string): void {
    const known = this.#changeable('add', namespace);
    if (!NAMESPACE.test(namespace)) throw invalid(`addNamespace('${namespace}'): this is not a valid namespace name`);
    const settings = { labels: undefined, fields: undefined, transform: undefined };
    if (!known.has(namespace))
      this.#options = { ...this.#options, namespaces: new Map(known).set(namespace, settings) };
  }

  /** Removes a namespace if the cache contains it. Throws NAMESPACES_FIXED if the cache contains all namespaces or only this namespace. */
  remove(namespace: string): void {
    const namespaces = new Map(this.#changeable('remove', namespace));
    if (!namespaces.delete(namespace)) return;
    if (namespaces.size === 0)
      throw fixed(
        'remove',
        namespace,
        'the cache must keep at least one namespace; add another namespace first, or close the informers',
      );
    this.#options = { ...this.#options, namespaces };
  }

  #changeable(action: string, namespace: string): NonNullable<ResolvedCacheOptions['namespaces']> {
    const { namespaces } = this.#options;
    if (namespaces !== undefined && !namespaces.has(OTHER_NAMESPACES)) return namespaces;
    throw fixed(
      action,
      namespace,
      "the cache already watches all namespaces; list the initial namespaces under 'namespaces'",
    );
  }
}

function fixed(action: string, namespace: string, why: string): KubewrightError {
  return new KubewrightError('NAMESPACES_FIXED', `cannot ${action} namespace '${namespace}': ${why}`);
}
