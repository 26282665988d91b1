import { type Draft, type KubeObject, setControllerReference } from '@kubewright/api';
import { withoutUndefined } from '../requests/json-value.js';
import { OWNER_LABEL } from './owner-label.js';
import type { Target } from '../requests/target.js';

/**
 * Returns a copy of the child with the controller reference, the owner label, and the namespace of the owner if the child has none. Throws
 * OWNER_NOT_ALLOWED and ALREADY_OWNED, as `setControllerReference` does.
 */
export function ownedBy<T extends KubeObject>(
  child: T,
  owner: KubeObject,
  { target, controller }: { readonly target: Target; readonly controller: string },
): T {
  const { metadata } = inNamespaceOfOwner(child, owner, target);
  const labels = { ...metadata.labels, [OWNER_LABEL]: controller };
  const owned = { ...child, metadata: { ...metadata, labels } };
  setControllerReference(owned as unknown as Draft<KubeObject>, owner);
  return withoutUndefined(owned) as T;
}

/**
 * Returns a copy of the child. If the child is namespaced and has no namespace, the copy has the namespace of the owner. The copy of a
 * cluster-scoped child has no namespace.
 */
export function inNamespaceOfOwner<T extends KubeObject>(child: T, owner: KubeObject, { info }: Target): T {
  const namespace = info.namespaced ? (child.metadata.namespace ?? owner.metadata.namespace) : undefined;
  return { ...child, metadata: { ...child.metadata, namespace } };
}
