import type { KindRef, KubeObject } from '@kubewright/api';
import type { Duration } from '@kubewright/api/clock';
import type { Transform } from './object-source.js';

/** Stands for all namespaces that are not named beside it. */
export const OTHER_NAMESPACES = '*';

/** Which objects are cached, and in what form. */
export interface CacheSettings<T extends KubeObject = KubeObject> {
  /** Equal labels, or a selector such as 'tier in (web, db)'; `{}` or '' for all objects. The server selects, so the others cost nothing. */
  readonly labels?: Readonly<Record<string, string>> | string;
  /** Equal fields, or a selector such as 'status.phase!=Failed'; `{}` or '' for all objects. Which fields there are, the server decides. */
  readonly fields?: Readonly<Record<string, string>> | string;
  /**
   * Changes every object before it is stored, to leave out what is not needed. Has to give the same for an object that it has changed
   * already, and may not touch name, namespace, uid and version.
   */
  readonly transform?: Transform<T>;
}

/** Namespaces: a list, or settings for each; '*' stands for all others. */
export type CachedNamespaces<T extends KubeObject = KubeObject> =
  | readonly string[]
  | Readonly<Record<string, CacheSettings<T>>>;

/** How the objects of a kind are cached. What is not said here is taken from the namespace, then from the cache. */
export interface KindCacheOptions<T extends KubeObject = KubeObject> extends CacheSettings<T> {
  /** Empty for all namespaces. @default those of the cache */
  readonly namespaces?: CachedNamespaces<T>;
  /**
   * Nothing but the metadata is asked for and kept. Declare and read the kind as `metadataOnly(Kind)`; to read it whole from the cache
   * is then an error. @default false
   */
  readonly metadataOnly?: boolean;
  /** @default that of the cache */
  readonly resync?: Duration | false;
  /** @default that of the cache */
  readonly keepManagedFields?: boolean;
}

/** Made by `cacheOf`. */
export interface CachedKind {
  readonly kind: KindRef;
  readonly options: KindCacheOptions;
}

/**
 * What the cache holds, and in what form. Each setting is looked for in the namespace of the kind, in the kind, in the namespace of
 * the cache, and in the cache itself; the first that is there holds.
 *
 * @example
 * new Manager({
 *   cache: {
 *     namespaces: ['team-a', 'team-b'],
 *     kinds: [cacheOf(Secret, { fields: { type: 'Opaque' } }), cacheOf(Pod, { namespaces: [], metadataOnly: true })],
 *   },
 * });
 */
export interface CacheOptions extends CacheSettings {
  /** Only these namespaces are listed and watched, each by itself. Kinds without namespaces are not touched. @default all, with one watch */
  readonly namespaces?: CachedNamespaces;
  /** What is different for some kinds; each once. @default none */
  readonly kinds?: readonly CachedKind[];
  /**
   * Every object is handed to the handlers again after so long, from the cache, as modified with `old` the same as `object`. The server
   * is not asked, so this repairs no drift, and no event is lost without it: reconciles by the clock are the controller's `every`.
   * It is there for handlers that keep state of their own. At least '1s'. @default false
   */
  readonly resync?: Duration | false;
  /** Keeps `metadata.managedFields`, which are most of the bytes of many objects. @default false */
  readonly keepManagedFields?: boolean;
  /**
   * Maximum number of objects of a kind that `references(…)` watches by name. Beyond this number, the cache watches the namespaces with
   * the most referenced objects, and drops other objects. @default 20
   */
  readonly maxNamedWatches?: number;
}

/**
 * How the objects of one kind are cached, for `CacheOptions.kinds`. A kind that is listed without options is meant to be cached as the
 * others are: no warning about its size is logged.
 *
 * @example
 * cacheOf(Secret, { fields: { type: 'Opaque' }, transform: (secret) => ({ ...secret, data: {} }) })
 */
export function cacheOf<T extends KubeObject>(
  kind: KindRef<T>,
  options: KindCacheOptions<NoInfer<T>> = {},
): CachedKind {
  return Object.freeze({ kind, options: options as unknown as KindCacheOptions });
}
