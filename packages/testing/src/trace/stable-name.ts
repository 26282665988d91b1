import type { StoreEvent } from '@kubewright/apiserver/internal';

/** Returns the name of an object, with '*' instead of the generated part. */
export function stableName(object: StoreEvent['object']): string {
  const { name, generateName } = object.metadata;
  const { involvedObject } = object as { readonly involvedObject?: { readonly name?: string } };
  // Event recorders append a time to the name of the object.
  const prefix =
    generateName ?? (object.kind === 'Event' && involvedObject?.name ? `${involvedObject.name}.` : undefined);
  return prefix !== undefined && name.startsWith(prefix) ? `${prefix}*` : name;
}
