/** Metadata as the API server keeps it. `uid`, `resourceVersion` and `creationTimestamp` are absent only before the first write. */
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
/** One owner of an object: when all of them are gone, the object goes too. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/**
 * What the author of a new object may say about it. With `generateName` in place of a name, `client.create` lets the server make one
 * of it and five random characters; the answer has it.
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

/** Names one object of a kind that is known from elsewhere. `namespace` is left out for cluster-scoped kinds. */
export interface ObjectKey {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/**
 * A kind, wherever one is asked for: a class made with `@Kind`, a built-in such as `Deployment`, `dynamicKind(…)` or
 * `defineKind(…)`. All four are made with `new`, which fills `apiVersion` and `kind` and returns a plain object.
 */
export type KindRef<T extends KubeObject = KubeObject> = abstract new (init: never) => T;

/** The objects of a kind; of a union of kinds, the union of their objects. */
export type ObjectOf<K extends KindRef> = K extends KindRef<infer T> ? T : never;

/** The status of a kind; `never` when it has none. */
export type StatusOf<T> = 'status' extends keyof T ? NonNullable<T['status']> : never;
