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
 * The metadata of a new object. With `generateName` instead of a name, `client.create` has the server generate the name: the prefix and
 * five random characters. The response contains the name.
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
 * A kind: a class made with `@Kind`, a built-in such as `Deployment`, `dynamicKind(…)` or `defineKind(…)`. `new` of each of them sets
 * `apiVersion` and `kind` and returns a plain object.
 */
export type KindRef<T extends KubeObject = KubeObject> = abstract new (init: never) => T;

/** The objects of a kind. For a union of kinds, the union of their objects. */
export type ObjectOf<K extends KindRef> = K extends KindRef<infer T> ? T : never;

/** The status of a kind, or `never` if the kind has no status. */
export type StatusOf<T> = 'status' extends keyof T ? NonNullable<T['status']> : never;
