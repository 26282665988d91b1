import type { KindRef, KubeObject, ObjectMeta } from '../objects/kube-object.js';
import { plainCopy } from '../objects/plain-copy.js';
import { kindOf } from './kind-of.js';

/** `T` with every field optional, at every depth. */
type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T;

/**
 * The fields of an object that one field manager sets: the name, optionally the namespace, labels and annotations, and any field outside of
 * `metadata` except the status.
 */
export type ConfigurationOf<T extends KubeObject> = {
  readonly metadata: Pick<ObjectMeta, 'name'> & Partial<Pick<ObjectMeta, 'namespace' | 'labels' | 'annotations'>>;
} & DeepPartial<Omit<T, 'apiVersion' | 'kind' | 'metadata' | 'status'>>;

/**
 * Returns an apply configuration: the fields of an object that a field manager owns. Pass it to `client.apply` or `client.applyOwned`.
 * `new Kind({ … })` adds the defaults of the class to the object. An apply of that object owns the defaulted fields too, and conflicts with
 * a manager that sets these fields. A configuration contains only the fields that you write. A configuration is not a complete object:
 * do not read other fields from it, and do not pass it to `client.create`.
 * @example import { applyConfiguration } from '@kubewright/api';
 *
 * await client.apply(applyConfiguration(Site, { metadata: { name: 'a', namespace }, spec: { replicas: 3 } }));
 */
export function applyConfiguration<T extends KubeObject>(kind: KindRef<T>, fields: ConfigurationOf<NoInfer<T>>): T {
  const { apiVersion, kind: name } = kindOf(kind);
  return { apiVersion, kind: name, ...(plainCopy(fields, name) as object) } as unknown as T;
}
