/** The metadata of an object in the API server. `uid`, `resourceVersion` and `creationTimestamp` are absent only before the first write. */
export interface ObjectMeta {
  readonly name: string;
  /** Absent on objects of cluster-scoped kinds. */
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly generation?: number;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}
/** One owner of an object. The garbage collector deletes an object when all of its owners are deleted. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/**
 * The metadata of a new object. If `generateName` is set instead of `name`, the API server generates the name in `client.create`: the
 * prefix and five random characters. The response contains the name.
 */
export type MetaInit = (
  | { readonly name?: undefined; readonly generateName: string }
  | { readonly name: string; readonly generateName?: string | undefined }
) & {
  readonly [K in Exclude<keyof ObjectMeta, 'name'>]?: ObjectMeta[K] | undefined;
};

/** Any object of the Kubernetes API. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** The name of one object of a known kind. `namespace` is omitted for cluster-scoped kinds. */
export interface ObjectKey {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/**
 * A kind: a class with `@Kind`, a built-in kind such as `Deployment`, `dynamicKind(…)` or `defineKind(…)`. For each of these kinds, `new`
 * sets `apiVersion` and `kind` and returns a plain object.
 */
export type KindRef<T extends KubeObject = KubeObject> = abstract new (init: never) => T;

/** The objects of a kind. For a union of kinds, the union of their objects. */
export type ObjectOf<K extends KindRef> = K extends KindRef<infer T> ? T : never;

/** The status of a kind, or `never` if the kind has no status. */
export type StatusOf<T> = 'status' extends keyof T ? NonNullable<T['status']> : never;
