import type { Transform } from '../store/transform.js';

/** Names of objects in one namespace, or of a cluster-scoped kind. */
export interface NameSelection {
  /** Distinguishes the selection from others in the key of a scope. */
  readonly key: string;
  readonly names: ReadonlySet<string>;
}

/** A selection of the objects of a kind, with its own list and watch. Selectors use the syntax of the API. */
export interface InformerScope {
  /** Undefined for all namespaces except the namespaces in `except`. */
  readonly namespace: string | undefined;
  /** Namespaces with their own scopes. */
  readonly except: readonly string[];
  readonly labels: string | undefined;
  readonly fields: string | undefined;
  /**
   * The names of the selected objects; undefined for all objects. The API server selects a single name. For several names, the source drops
   * other objects.
   */
  readonly names?: NameSelection | undefined;
  readonly transform: Transform | undefined;
}

/** The resolved selection of an informer. */
export interface InformerSelection {
  readonly scopes: readonly InformerScope[];
  /** Whether the scopes are the namespaces of the cache, and change with them. */
  readonly followsCache: boolean;
  readonly metadataOnly: boolean;
  readonly keepManagedFields: boolean;
  /** Undefined for no resync. */
  readonly resyncMs: number | undefined;
  /** Whether the kind is listed among the kinds of the cache. */
  readonly isConfigured: boolean;
}

/** The requested objects of a kind, in addition to the options of the cache. */
export interface SelectionRequest {
  /** Replaces the namespaces of the cache. */
  readonly namespaces?: readonly string[] | undefined;
  /** Applies in addition to the labels of the cache. */
  readonly labels?: string | undefined;
  /** Applies in addition to the fields of the cache. */
  readonly fields?: string | undefined;
  readonly metadataOnly?: boolean | undefined;
}
