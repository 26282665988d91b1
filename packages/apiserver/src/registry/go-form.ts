import type { DraftObject, JsonObject } from './json-object.js';
import type { ResourceDefinition } from './resource-definition.js';

/** What an object of a built-in kind is before anything is set, for those who keep managedFields. */
export function emptyOf(definition: ResourceDefinition): { readonly empty?: JsonObject } {
  const { goShapes, apiVersion, kind } = definition;
  const empty = goShapes?.zero(apiVersion, kind);
  return empty === undefined ? {} : { empty };
}

/** Drops from a draft of a built-in kind what the server does not write when it is empty. */
export function trimDraft(draft: DraftObject, { goShapes, apiVersion, kind }: ResourceDefinition): void {
  goShapes?.trim(draft, apiVersion, kind);
}

/** Gives a draft of a built-in kind the form in which it is stored. */
export function completeDraft(draft: DraftObject, { goShapes, apiVersion, kind }: ResourceDefinition): void {
  goShapes?.complete(draft, apiVersion, kind);
}
