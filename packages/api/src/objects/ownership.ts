import { groupOf } from './group-of.js';
import type { KubeObject, OwnerReference } from './kube-object.js';

/** The owner reference that has `controller: true`, or undefined. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true);
}

/** Whether `owner` controls `object`, by uid. An owner without a uid, which was never written, controls nothing. */
export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  const { uid } = owner.metadata;
  return uid !== undefined && controllerOf(object)?.uid === uid;
}

/** Whether `owner` is among the owners of `object`, as its controller or not, by uid. */
export function isOwnedBy(object: KubeObject, owner: KubeObject): boolean {
  const { uid } = owner.metadata;
  return uid !== undefined && object.metadata.ownerReferences?.some((one) => one.uid === uid) === true;
}

/** Whether two references name the same owner, by group, kind and name: of whatever version, and of whatever life of it. */
export function isSameOwner(one: OwnerName, other: OwnerName): boolean {
  return one.kind === other.kind && one.name === other.name && groupOf(one.apiVersion) === groupOf(other.apiVersion);
}

/** By what an owner is named, its uid aside. */
export type OwnerName = Pick<OwnerReference, 'apiVersion' | 'kind' | 'name'>;
