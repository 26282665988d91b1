import type { ApiObject } from '../objects/api-object.js';

/** Identifies one object. `namespace` is omitted for cluster-scoped resources. */
export interface ResourceKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Selects objects of a resource. The selectors have the format of the query parameters. */
export interface Selection {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** The query parameters of a list. */
export interface ListOptions extends Selection {
  /** The maximum number of items to return. To get the other items, the client sends `continue`. 0 or undefined returns all items. */
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
  /** Only a watch supports this parameter. A list with this parameter fails with 422. */
  readonly sendInitialEvents?: string | undefined;
}

/** The items and the metadata of a list. */
export interface ListResult {
  readonly items: readonly ApiObject[];
  readonly metadata: {
    /** Absent for objects that the server does not store. */
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
}

/** The options of a delete, from the body and the query. */
export interface DeleteOptions {
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly gracePeriodSeconds?: number | undefined;
}
