import type { ApiObject, OwnerReference } from '../../registry/objects/api-object.js';

/** Returns the object with exactly the given owner references. */
export function withOwners(object: ApiObject, ownerReferences: readonly OwnerReference[]): ApiObject {
  const { ownerReferences: _, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, ...(ownerReferences.length === 0 ? {} : { ownerReferences }) } };
}

/** Returns the object with exactly the given finalizers. */
export function withFinalizers(object: ApiObject, finalizers: readonly string[]): ApiObject {
  const { finalizers: _, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, ...(finalizers.length === 0 ? {} : { finalizers }) } };
}

/** Returns the finalizers of an object except one. */
export function finalizersWithout({ metadata }: ApiObject, finalizer: string | undefined): readonly string[] {
  return (metadata.finalizers ?? []).filter((name) => name !== finalizer);
}
