import type { ApiObject, OwnerReference } from '../../registry/objects/api-object.js';

/** Returns the object with exactly the given owner references. */
export function withOwners(object: ApiObject, ownerReferences: readonly OwnerReference[]): unknown {
  const { ownerReferences: _, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, ...(ownerReferences.length === 0 ? {} : { ownerReferences }) } };
}
