import type { KubeObject, ObjectKey } from './kube-object.js';

/** `{ namespace, name }` of an object; the namespace is left out for objects of cluster-scoped kinds. */
export function keyOf(object: KubeObject): ObjectKey {
  const { name, namespace } = object.metadata;
  return namespace === undefined ? { name } : { namespace, name };
}
