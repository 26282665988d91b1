/** The metadata that every stored object has. Other fields of ObjectMeta are kept as they came. */
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

/** An object as the store keeps it: plain JSON data, deeply frozen, never changed in place. */
export interface StoredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: StoredMetadata;
  readonly [field: string]: unknown;
}

/** Names one object of a bucket; cluster-scoped objects have no namespace. */
export interface ObjectKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}
