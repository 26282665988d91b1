import { deepFreeze } from '@kubewright/api/json';
import type { IncomingObject, JsonObject } from '../objects/api-object.js';
import { copyJson } from '../objects/json-object.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';

/** The empty object of each definition, created once and read-only. */
const empties = new WeakMap<ResourceDefinition, { readonly empty?: JsonObject }>();

/**
 * Returns an object whose field `empty` is an empty object of the kind, for the tracking of managedFields. `empty` is unset for custom
 * resources and for kinds without a declared Go type.
 */
export function emptyOf(definition: ResourceDefinition): { readonly empty?: JsonObject } {
  const known = empties.get(definition);
  if (known !== undefined) return known;
  const { goShapes, apiVersion, kind } = definition;
  const empty = goShapes?.zero(apiVersion, kind);
  const made = deepFreeze(empty === undefined ? {} : { empty });
  empties.set(definition, made);
  return made;
}

/** Removes the empty fields that kube-apiserver does not write from a draft of a built-in kind. */
export function trimDraft(draft: IncomingObject, { goShapes, apiVersion, kind }: ResourceDefinition): void {
  keepingReset(draft, () => goShapes?.trim(draft, apiVersion, kind));
}

/** Converts a draft of a built-in kind to its stored form. */
export function completeDraft(draft: IncomingObject, { goShapes, apiVersion, kind }: ResourceDefinition): void {
  keepingReset(draft, () => goShapes?.complete(draft, apiVersion, kind));
}

/** The groups whose objects kube-apiserver stores as JSON, which distinguishes empty lists from unset lists. */
const jsonGroups: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/**
 * Returns a built-in object as kube-apiserver reads the object from its storage, with null instead of empty lists and maps. Returns the
 * same object if the object has no empty lists and maps, or if kube-apiserver stores the objects of this API group as JSON.
 */
export function withoutEmpty<T extends IncomingObject>(
  object: T,
  { goShapes, apiVersion, kind, group }: ResourceDefinition,
): T {
  if (goShapes === undefined || jsonGroups.has(group) || !goShapes.hasEmpty(object, apiVersion, kind)) return object;
  const copy = copyJson(object);
  goShapes.unsetEmpty(copy, apiVersion, kind);
  return copy;
}

/**
 * Runs a function that may drop an empty managedFields list, and restores this list. An empty list resets all managers; an unset list does
 * not.
 */
function keepingReset({ metadata }: IncomingObject, act: () => void): void {
  const { managedFields } = metadata;
  act();
  if (managedFields?.length === 0) metadata.managedFields = managedFields;
}
