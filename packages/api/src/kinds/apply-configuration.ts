import type { KindRef, KubeObject, ObjectMeta } from '../objects/kube-object.js';
import { plainCopy } from '../objects/plain-copy.js';
import { kindOf } from './kind-of.js';

/** The same with every field optional, at every depth. */
type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T;

/** The fields of an object that one field manager sets: a name, and any others. The status is not among them. */
export type ConfigurationOf<T extends KubeObject> = {
  readonly metadata: Pick<ObjectMeta, 'name'> & Partial<Pick<ObjectMeta, 'namespace' | 'labels' | 'annotations'>>;
} & DeepPartial<Omit<T, 'apiVersion' | 'kind' | 'metadata' | 'status'>>;

/**
 * Returns the fields that a field manager wants to own of an object, for `client.apply` and `client.applyOwned`. `new Kind({ … })` adds
 * the defaults of the class to an object, so an apply of it owns them too, and conflicts with a manager that sets them. A configuration
 * has only the fields that you write. It is not a whole object: do not read other fields of it, and do not create it.
 *
 * @example
 * import { applyConfiguration } from '@kubewright/api';
 *
 * await client.apply(applyConfiguration(Site, { metadata: { name: 'a', namespace }, spec: { replicas: 3 } }));
 */
export function applyConfiguration<T extends KubeObject>(kind: KindRef<T>, fields: ConfigurationOf<NoInfer<T>>): T {
  const { apiVersion, kind: name } = kindOf(kind);
  return { apiVersion, kind: name, ...(plainCopy(fields, name) as object) } as unknown as T;
}
