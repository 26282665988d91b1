import { groupOf } from './group-of.js';
import type { KubeObject, OwnerReference } from './kube-object.js';

/** Returns the owner reference that has `controller: true`, or undefined. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true);
}

/** Whether `owner` is the controller of `object`, by uid. Returns false for an owner without a uid, because the owner was never stored. */
export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  const { uid } = owner.metadata;
  return uid !== undefined && controllerOf(object)?.uid === uid;
}

/** Whether `owner` is one of the owners of `object`, by uid. The owner can be the controller or another owner. */
export function isOwnedBy(object: KubeObject, owner: KubeObject): boolean {
  const { uid } = owner.metadata;
  return uid !== undefined && object.metadata.ownerReferences?.some((one) => one.uid === uid) === true;
}

/** Whether two references name the same owner by group, kind and name, regardless of version and uid. */
export function isSameOwner(one: OwnerName, other: OwnerName): boolean {
  return one.kind === other.kind && one.name === other.name && groupOf(one.apiVersion) === groupOf(other.apiVersion);
}

/** The identity of an owner without its uid. */
export type OwnerName = Pick<OwnerReference, 'apiVersion' | 'kind' | 'name'>;
