import type { KubeObject, ObjectKey } from './kube-object.js';

/** Returns `{ namespace, name }` of an object. Omits the namespace for objects of cluster-scoped kinds. */
export function keyOf(object: KubeObject): ObjectKey {
  const { name, namespace } = object.metadata;
  return namespace === undefined ? { name } : { namespace, name };
}
