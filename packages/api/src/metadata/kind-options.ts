/** Options of `@Kind`. */
export interface KindOptions {
  readonly group: string;
  readonly version: string;
  /**
   * The name of the kind. Set this option if a bundler shortens names or if a file declares two versions. @default the name of the class
   */
  readonly kind?: string;
  /** The plural name. @default the kind in lower case, in English plural */
  readonly plural?: string;
  /** The singular name. @default the kind in lower case */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** The scope of the objects. @default 'Namespaced' */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Whether this version is the storage version in etcd. @default true if it is the only version of its kind */
  readonly storage?: boolean;
  /** Whether the API server serves this version. @default true */
  readonly served?: boolean;
  /** The warning shown to users of this version, or true for the standard warning. @default false */
  readonly deprecated?: boolean | string;
  /** Annotations of the CustomResourceDefinition itself. The annotations of several versions are merged. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Labels of the CustomResourceDefinition itself. The labels of several versions are merged. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Whether to add the print column Age at the end if no column has that name. @default true */
  readonly ageColumn?: boolean;
  /**
   * Set to true if another operator installs the CustomResourceDefinition. `kubewright generate` then does not generate the definition. A
   * test environment still generates and installs the definition. @default false
   */
  readonly external?: boolean;
}
