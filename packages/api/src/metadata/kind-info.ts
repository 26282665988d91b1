/** The names of a kind, whichever way it was declared. */
export interface KindInfo {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** `group/version`, or the version alone in the core group. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Undefined for `dynamicKind(…)`, until discovery has been asked. */
  readonly plural?: string | undefined;
  readonly singular?: string | undefined;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Undefined for `dynamicKind(…)`, until discovery has been asked. */
  readonly namespaced?: boolean | undefined;
  /** Whether the status is a subresource; false for `dynamicKind(…)`, of which it is not known. */
  readonly hasStatus: boolean;
  /** Made with `dynamicKind(…)`. */
  readonly dynamic: boolean;
  /** Part of Kubernetes itself. */
  readonly builtIn: boolean;
  /** Made with `metadataOnly(…)`: only the metadata of its objects is read. @default false */
  readonly metadataOnly?: boolean;
}
