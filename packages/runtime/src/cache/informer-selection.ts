import type { Transform } from './object-source.js';

/** Names of objects in one namespace, or of a cluster-scoped kind. */
export interface NameSelection {
  /** Distinguishes the selection from others in the key of a scope. */
  readonly key: string;
  readonly names: ReadonlySet<string>;
}

/** A part of an informer that is listed and watched by itself. Selectors are in the words of the API. */
export interface InformerScope {
  /** Undefined for all namespaces but `except`. */
  readonly namespace: string | undefined;
  /** Namespaces that are scopes of their own. */
  readonly except: readonly string[];
  readonly labels: string | undefined;
  readonly fields: string | undefined;
  /** Only these objects; undefined for all. The API server selects a single name, and the source drops the others otherwise. */
  readonly names?: NameSelection | undefined;
  readonly transform: Transform | undefined;
}

/** What an informer holds, all settings looked up. */
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

/** What somebody wants of a kind beyond what the options of the cache say. */
export interface SelectionRequest {
  /** In place of those of the cache. */
  readonly namespaces?: readonly string[] | undefined;
  /** Beside those of the cache. */
  readonly labels?: string | undefined;
  /** Beside those of the cache. */
  readonly fields?: string | undefined;
  readonly metadataOnly?: boolean | undefined;
}
