import type { KindRef, KubeObject } from '@kubewright/api';
import type { Duration } from '@kubewright/api/clock';
import type { Transform } from '../store/transform.js';

/** Represents all namespaces that are not named explicitly. */
export const OTHER_NAMESPACES = '*';

/** Selects the cached objects and defines their form. */
export interface CacheSettings<T extends KubeObject = KubeObject> {
  /**
   * The labels that the objects must have, or a selector such as 'tier in (web, db)'; `{}` or '' for all objects. The server applies the
   * selector, so other objects are not transferred.
   */
  readonly labels?: Readonly<Record<string, string>> | string;
  /**
   * The fields that the objects must have, or a selector such as 'status.phase!=Failed'; `{}` or '' for all objects. The server determines
   * the supported fields.
   */
  readonly fields?: Readonly<Record<string, string>> | string;
  /**
   * Transforms every object before it is stored, to remove unneeded fields. The transform must be idempotent, and must not change name,
   * namespace, uid and resourceVersion.
   */
  readonly transform?: Transform<T>;
}

/** A list of namespaces, or settings for each namespace; '*' represents all other namespaces. */
export type CachedNamespaces<T extends KubeObject = KubeObject> =
  | readonly string[]
  | Readonly<Record<string, CacheSettings<T>>>;

/** Cache options of one kind. A missing setting is taken from the namespace of the cache, then from the cache. */
export interface KindCacheOptions<T extends KubeObject = KubeObject> extends CacheSettings<T> {
  /** An empty list selects all namespaces. @default the namespaces of the cache */
  readonly namespaces?: CachedNamespaces<T>;
  /**
   * Requests and stores only the metadata. Declare and read the kind as `metadataOnly(Kind)`; reading whole objects from the cache is then
   * an error. @default false
   */
  readonly metadataOnly?: boolean;
  /** @default the setting of the cache */
  readonly resync?: Duration | false;
  /** @default the setting of the cache */
  readonly keepManagedFields?: boolean;
}

/** The cache options of one kind, created by `cacheOf`. */
export interface CachedKind {
  readonly kind: KindRef;
  readonly options: KindCacheOptions;
}

/**
 * Defines which objects the cache contains, and in what form. For each setting, the cache uses the first value of these sources: the
 * namespace of the kind, the kind, the namespace of the cache, the cache.
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
   * Lists and watches only these namespaces, with one watch for each. Cluster-scoped kinds are not affected. @default all namespaces, with
   * one watch
   */
  readonly namespaces?: CachedNamespaces;
  /** The kinds with their own options. Each kind may occur once. @default none */
  readonly kinds?: readonly CachedKind[];
  /**
   * Delivers every object to the handlers again at this interval, as modified with `old` the same as `object`. The objects come from the
   * cache, and the server gets no request. A resync therefore does not repair drift, and no event is lost without a resync. Use a resync
   * for handlers that keep their own state. For periodic reconciles, use `every` of the controller. At least '1s'. @default false
   */
  readonly resync?: Duration | false;
  /** Keeps `metadata.managedFields`, which is the largest part of many objects. @default false */
  readonly keepManagedFields?: boolean;
  /**
   * Maximum number of objects of a kind that `references(…)` watches by name. If more objects are referenced, the cache watches the
   * namespaces with the most referenced objects, and drops other objects. @default 20
   */
  readonly maxNamedWatches?: number;
}

/**
 * Returns the cache options of one kind, for `CacheOptions.kinds`. For a kind that is listed without options, the settings of the cache
 * apply, and the manager logs no warning about the size of the kind.
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
