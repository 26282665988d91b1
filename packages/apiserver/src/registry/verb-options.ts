import type { ApiObject } from './json-object.js';

/** Names one object; `namespace` is left out for cluster-scoped resources. */
export interface ResourceKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Which objects of a resource are meant; the texts are those of the query string. */
export interface Selection {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** The query of a list. */
export interface ListOptions extends Selection {
  /** At most so many items, the rest by `continue`. 0 or unset gives all. */
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
  /** Only a watch has initial events; a list refuses it. */
  readonly sendInitialEvents?: string | undefined;
}

/** The items of a list and what its metadata says. */
export interface ListResult {
  readonly items: readonly ApiObject[];
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
}

/** The body and query of a delete. */
export interface DeleteOptions {
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly gracePeriodSeconds?: number | undefined;
}
