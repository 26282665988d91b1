import { deepEqual } from '@kubewright/api/patch';
import { applyDefaults } from '@kubewright/api/schema';
import { type ApiObject, copyJson, type DraftObject, isObject, type JsonObject } from './json-object.js';
import type { ResourceDefinition } from './resource-definition.js';

/** Fills the defaults of the schema, then those of the kind. */
export function fillDefaults(draft: DraftObject, definition: ResourceDefinition): void {
  const { metadata } = draft;
  const filled = applyDefaults(draft, definition.schema);
  if (filled !== draft) Object.assign(draft, copyJson(filled), { metadata });
  definition.strategy.defaults(draft);
}

/** Whether only the status subresource writes the status. */
export function resetsStatus({ strategy, subresources }: ResourceDefinition): boolean {
  return strategy.resetsStatus && subresources.has('status');
}

/** The object as a status update leaves it: everything as it was, but the new status and who manages it. */
export function statusOnly(draft: DraftObject, live: ApiObject, definition: ResourceDefinition): DraftObject {
  const next = copyJson(live) as unknown as DraftObject;
  if (draft['status'] === undefined) delete next['status'];
  else next['status'] = draft['status'];
  const { managedFields, annotations, finalizers } = draft.metadata;
  next.metadata.managedFields = managedFields;
  if (definition.custom) return next;
  // Built-in kinds let annotations and finalizers through with a status; custom ones keep all metadata.
  setOrDelete(next.metadata, 'annotations', annotations);
  setOrDelete(next.metadata, 'finalizers', finalizers);
  return next;
}

/** Whether what the user asks for has changed: the spec of built-in kinds, all but metadata and status of custom ones. */
export function specChanged(next: DraftObject, old: ApiObject, definition: ResourceDefinition): boolean {
  if (!definition.custom) return !deepEqual(next['spec'], old['spec']);
  const left = desired(next, definition);
  return !deepEqual(left, desired(old, definition));
}

/** Whether two states are the same but for managedFields. */
export function sameExceptManagers(next: DraftObject, live: ApiObject): boolean {
  return deepEqual(withoutManagers(next), withoutManagers(live));
}

/** Whether the same managers own the same fields, whenever that came about. */
export function sameManagers(next: DraftObject, live: ApiObject): boolean {
  return deepEqual(timeless(next.metadata.managedFields), timeless(live.metadata.managedFields));
}

/** The object without one of its fields. */
export function without<T extends object>(object: T, field: string): T {
  const { [field]: _, ...rest } = object as Record<string, unknown>;
  return rest as T;
}

function desired(object: object, definition: ResourceDefinition): JsonObject {
  const spec = without(object as Record<string, unknown>, 'metadata');
  return definition.subresources.has('status') ? without(spec, 'status') : spec;
}

function withoutManagers(object: DraftObject | ApiObject): JsonObject {
  return { ...object, metadata: without(object.metadata, 'managedFields') };
}

function timeless(entries: readonly unknown[] | undefined): readonly unknown[] {
  return (entries ?? []).map((entry) => (isObject(entry) ? without(entry, 'time') : entry));
}

function setOrDelete<T extends object, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value === undefined) delete target[key];
  else target[key] = value;
}
