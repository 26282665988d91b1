import type { ApiObject, OwnerReference } from '../../registry/objects/api-object.js';
import { keyText } from './object-reference.js';

/** Returns the owner reference of the controlling owner, if any. */
export function controlledBy({ metadata }: ApiObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** Returns whether the owner controls the object. Compares UIDs, because another object can have the same name. */
export function isControlledBy(object: ApiObject, owner: ApiObject): boolean {
  return controlledBy(object)?.uid === owner.metadata.uid;
}

/** Returns an owner reference that makes the given object the controlling owner. */
export function controllerReference({ apiVersion, kind, metadata }: ApiObject): OwnerReference {
  const { name, uid } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/**
 * Returns the key of the object's controlling owner. Returns undefined if there is no controlling owner or if the owner has another kind.
 */
export function controllerKey(object: ApiObject, { group, kind }: { readonly group: string; readonly kind: string }) {
  const owner = controlledBy(object);
  if (owner?.kind !== kind || groupOf(owner.apiVersion) !== group) return undefined;
  return keyText({ name: owner.name, namespace: object.metadata.namespace });
}

/** Returns the API group of an apiVersion, which is '' for the core group. */
export function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}
