import type { KindRef, KubeObject } from '@kubewright/api';
import type { Duration } from '@kubewright/api/clock';
import type { Transform } from '../store/transform.js';

/** The key for all namespaces that are not listed explicitly. */
export const OTHER_NAMESPACES = '*';

/** Selects which objects are cached, and in which form. */
export interface CacheSettings<T extends KubeObject = KubeObject> {
  /**
   * The labels that the objects must have, or a selector such as 'tier in (web, db)'. `{}` and '' select all objects. The server applies
   * the selector, so that other objects are not transferred.
   */
  readonly labels?: Readonly<Record<string, string>> | string;
  /**
   * The fields that the objects must have, or a selector such as 'status.phase!=Failed'. `{}` and '' select all objects. The server
   * supports only some fields of each kind.
   */
  readonly fields?: Readonly<Record<string, string>> | string;
  /**
   * Changes each object before it is stored, for example to remove fields that are not needed. The transform must be idempotent, and must
   * not change name, namespace, uid and resourceVersion.
   */
  readonly transform?: Transform<T>;
}

/** The cached namespaces: a list, or an object with settings for each namespace. The key '*' means all other namespaces. */
export type CachedNamespaces<T extends KubeObject = KubeObject> =
  | readonly string[]
  | Readonly<Record<string, CacheSettings<T>>>;

/**
 * The cache options of one kind. If a setting is missing, the options of the cache apply: the setting of the namespace, or otherwise the
 * setting for all namespaces.
 */
export interface KindCacheOptions<T extends KubeObject = KubeObject> extends CacheSettings<T> {
  /** The namespaces in which the kind is cached. An empty list means all namespaces. @default the namespaces of the cache */
  readonly namespaces?: CachedNamespaces<T>;
  /**
   * Whether to request and store only the metadata. The kind must then be declared and read as `metadataOnly(Kind)`; reading whole objects
   * from the cache throws METADATA_ONLY. @default false
   */
  readonly metadataOnly?: boolean;
  /** The resync interval, as in `CacheOptions`. @default the setting of the cache */
  readonly resync?: Duration | false;
  /** Whether to keep `metadata.managedFields`. @default the setting of the cache */
  readonly keepManagedFields?: boolean;
}

/** The cache options of one kind, created by `cacheOf`. */
export interface CachedKind {
  readonly kind: KindRef;
  readonly options: KindCacheOptions;
}

/**
 * The options of a cache: which objects are cached, and in which form. If a setting is set in several places, the first place in this order
 * applies: a namespace in the options of the kind, the options of the kind, a namespace in the options of the cache, the options of the
 * cache.
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
  /**
   * The namespaces to list and watch, with one watch for each. Does not affect cluster-scoped kinds. @default all namespaces, with one
   * watch
   */
  readonly namespaces?: CachedNamespaces;
  /** The options of single kinds, created by `cacheOf`. Each kind can be listed only once. @default none */
  readonly kinds?: readonly CachedKind[];
  /**
   * The interval at which handlers receive all objects again, as `modified` changes whose `old` is the same as `object`. The minimum is
   * '1s'.
   *
   * A resync reads from the cache and does not send a request. It therefore cannot correct a wrong state of the cache, and is not necessary
   * to get all events. Use a resync for handlers that maintain state of their own. For periodic reconciles, use the option `every` of the
   * controller. @default false
   */
  readonly resync?: Duration | false;
  /** Whether to keep `metadata.managedFields`, which is the largest part of many objects. @default false */
  readonly keepManagedFields?: boolean;
  /**
   * Whether equal strings and equal parts of cached objects are in memory once. Set this option to false only to find out whether
   * sharing causes a problem. @default true
   */
  readonly shareValues?: boolean;
  /**
   * The maximum number of objects of a kind that are watched by name because of `references(…)`. If more objects are referenced, the cache
   * watches the namespaces with the most referenced objects, and ignores the other objects in these namespaces. @default 20
   */
  readonly maxNamedWatches?: number;
}

/**
 * Returns the cache options of one kind, for `CacheOptions.kinds`. Without options, the settings of the cache apply. The manager does not
 * log a warning about the size of a listed kind.
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
