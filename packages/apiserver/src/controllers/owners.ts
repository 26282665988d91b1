import type { ApiObject, OwnerReference } from '../registry/json-object.js';

/** The object with these owners and no others. */
export function withOwners(object: ApiObject, ownerReferences: readonly OwnerReference[]): unknown {
  const { ownerReferences: _, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, ...(ownerReferences.length === 0 ? {} : { ownerReferences }) } };
}
