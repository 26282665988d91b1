import type { Transform } from '../store/transform.js';

/** The names of objects in one namespace, or of a cluster-scoped kind. */
export interface NameSelection {
  /** Identifies this selection of names. The key of a scope contains this key instead of the names. */
  readonly key: string;
  readonly names: ReadonlySet<string>;
}

/** Selects objects of a kind. Each scope has its own list and watch. Selectors use the syntax of the API. */
export interface InformerScope {
  /** The namespace. Undefined for all namespaces except those in `except`. */
  readonly namespace: string | undefined;
  /** The excluded namespaces, which have their own scopes. */
  readonly except: readonly string[];
  readonly labels: string | undefined;
  readonly fields: string | undefined;
  /**
   * The names of the selected objects. Undefined for all objects. If there is one name, the API server selects the object. If there are
   * several, the client ignores other objects.
   */
  readonly names?: NameSelection | undefined;
  readonly transform: Transform | undefined;
}

/** The objects that an informer selects, and their form, after the options of the cache were applied to a request. */
export interface InformerSelection {
  readonly scopes: readonly InformerScope[];
  /** Whether the scopes change when namespaces are added to the cache or removed from the cache. */
  readonly followsCache: boolean;
  readonly metadataOnly: boolean;
  readonly keepManagedFields: boolean;
  /** Whether equal values of the objects are shared. */
  readonly shareValues: boolean;
  /** The resync interval in milliseconds. Undefined for no resync. */
  readonly resyncMs: number | undefined;
  /** Whether the option `cache.kinds` lists the kind. */
  readonly isConfigured: boolean;
}

/** The objects of a kind that a caller requests. */
export interface SelectionRequest {
  /** The namespaces of the objects. Takes precedence over the namespaces of the cache. */
  readonly namespaces?: readonly string[] | undefined;
  /** The labels of the objects, in addition to the labels in the options of the cache. */
  readonly labels?: string | undefined;
  /** The fields of the objects, in addition to the fields in the options of the cache. */
  readonly fields?: string | undefined;
  readonly metadataOnly?: boolean | undefined;
}
