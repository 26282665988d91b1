/** What `@Kind` says. */
export interface KindOptions {
  readonly group: string;
  readonly version: string;
  /** @default the name of the class. Say it where a bundler shortens names or a file holds two versions. */
  readonly kind?: string;
  /** @default the kind in lower case, in English plural */
  readonly plural?: string;
  /** @default the kind in lower case */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** @default 'Namespaced' */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** The version that etcd keeps. @default true when it is the only version of its kind */
  readonly storage?: boolean;
  /** @default true */
  readonly served?: boolean;
  /** Text shown to who uses this version, or true for the usual one. @default false */
  readonly deprecated?: boolean | string;
  /** Of the CustomResourceDefinition itself; what several versions say is joined. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Of the CustomResourceDefinition itself; what several versions say is joined. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Adds the print column Age at the end, unless a column has that name. @default true */
  readonly ageColumn?: boolean;
  /** Another operator brings the CustomResourceDefinition: `kubewright generate` makes none. Tests have one all the same. @default false */
  readonly external?: boolean;
}
