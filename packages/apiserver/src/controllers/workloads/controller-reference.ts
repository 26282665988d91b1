import type { ApiObject, OwnerReference } from '../../registry/json-object.js';
import { keyText } from '../object-reference.js';

/** The owner that controls the object, if one does. */
export function controlledBy({ metadata }: ApiObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** Whether the owner, and not another object of its name, controls the object. */
export function isControlledBy(object: ApiObject, owner: ApiObject): boolean {
  return controlledBy(object)?.uid === owner.metadata.uid;
}

/** What an object's metadata says of the owner that controls it. */
export function controllerReference({ apiVersion, kind, metadata }: ApiObject): OwnerReference {
  const { name, uid } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The key of the controller of an object if that is of the kind, undefined otherwise. */
export function controllerKey(object: ApiObject, { group, kind }: { readonly group: string; readonly kind: string }) {
  const owner = controlledBy(object);
  if (owner?.kind !== kind || !owner.apiVersion.startsWith(`${group}/`)) return undefined;
  return keyText({ name: owner.name, namespace: object.metadata.namespace });
}
