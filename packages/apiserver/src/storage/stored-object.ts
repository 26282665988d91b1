/** The metadata of every stored object. The store keeps other fields of ObjectMeta unchanged. */
export interface StoredMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  /** Set by the store on every write. */
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly Readonly<Record<string, unknown>>[];
  readonly managedFields?: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

/** An object in the store: plain JSON data, deeply frozen, and never changed in place. */
export interface StoredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: StoredMetadata;
  readonly [field: string]: unknown;
}

/** Identifies an object of a bucket. Cluster-scoped objects have no namespace. */
export interface ObjectKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}
