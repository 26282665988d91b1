import { deepFreeze } from '@kubewright/api/json';
import type { DraftObject, JsonObject } from '../json-object.js';
import type { ResourceDefinition } from '../resource-definition.js';

/** Each is made once, and nobody writes to it. */
const empties = new WeakMap<ResourceDefinition, { readonly empty?: JsonObject }>();

/** What an object of a built-in kind is before anything is set, for those who keep managedFields. */
export function emptyOf(definition: ResourceDefinition): { readonly empty?: JsonObject } {
  const known = empties.get(definition);
  if (known !== undefined) return known;
  const { goShapes, apiVersion, kind } = definition;
  const empty = goShapes?.zero(apiVersion, kind);
  const made = deepFreeze(empty === undefined ? {} : { empty });
  empties.set(definition, made);
  return made;
}

/** Drops from a draft of a built-in kind what the server does not write when it is empty. */
export function trimDraft(draft: DraftObject, { goShapes, apiVersion, kind }: ResourceDefinition): void {
  keepingReset(draft, () => goShapes?.trim(draft, apiVersion, kind));
}

/** Gives a draft of a built-in kind the form in which it is stored. */
export function completeDraft(draft: DraftObject, { goShapes, apiVersion, kind }: ResourceDefinition): void {
  keepingReset(draft, () => goShapes?.complete(draft, apiVersion, kind));
}

/** An empty list of managers is not the same as none: it forgets those that there are. */
function keepingReset({ metadata }: DraftObject, act: () => void): void {
  const { managedFields } = metadata;
  act();
  if (managedFields?.length === 0) metadata.managedFields = managedFields;
}
