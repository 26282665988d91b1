/** The names of a kind, regardless of how the kind is declared. */
export interface KindInfo {
  /** The API group. Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** `group/version`, or only the version in the core group. */
  readonly apiVersion: string;
  readonly kind: string;
  /** The plural name. Undefined for `dynamicKind(…)` until discovery. */
  readonly plural?: string | undefined;
  readonly singular?: string | undefined;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Whether the kind is namespaced. Undefined for `dynamicKind(…)` until discovery. */
  readonly namespaced?: boolean | undefined;
  /** Whether the status is a subresource. False for `dynamicKind(…)`, because the subresources are not known. */
  readonly hasStatus: boolean;
  /** Whether the kind was created with `dynamicKind(…)`. */
  readonly dynamic: boolean;
  /** Whether the kind is part of Kubernetes. */
  readonly builtIn: boolean;
  /** Whether the kind was created with `metadataOnly(…)`, so that only metadata is read. @default false */
  readonly metadataOnly?: boolean;
}
