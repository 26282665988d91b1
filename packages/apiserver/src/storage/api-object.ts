import type { ObjectMeta } from '@kubewright/api';

/**
 * The metadata of an object. The store sets `resourceVersion` on every write, and keeps fields that this type does not declare. `uid`,
 * `resourceVersion` and `creationTimestamp` are absent only before the first write.
 */
export interface ApiObjectMeta extends ObjectMeta {
  readonly generateName?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly managedFields?: readonly unknown[] | undefined;
}

/** An object with complete metadata: plain JSON data. A stored object is deeply frozen, and never changed in place. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiObjectMeta;
  readonly [field: string]: unknown;
}

/** Identifies an object of a bucket. Cluster-scoped objects have no namespace. */
export interface ObjectKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}
