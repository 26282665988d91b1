import type { Steps } from '@kubewright/api/apply';
import { deepEqual } from '@kubewright/api/patch';
import { applyDefaults } from '@kubewright/api/schema';
import type { ApiObject, DraftObject, IncomingObject, JsonObject } from '../objects/api-object.js';
import { copyJson, isObject } from '../objects/json-object.js';
import { trimDraft, withoutEmpty } from '../decoding/go-form.js';
import type { RequestContext } from '../requests/request-context.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { checkWrittenValues, valueBudget } from '../../storage/value-limit.js';

/** Sets the defaults of the schema and then of the kind, and removes empty fields, in steps. Throws 413 for too many values. */
export function* fillDefaults(
  draft: IncomingObject,
  definition: ResourceDefinition,
  { operation }: RequestContext,
): Steps<void> {
  const { metadata } = draft;
  const filled = applyDefaults(draft, definition.schema, {
    keepNulls: operation === 'Apply',
    onFill: valueBudget(),
  });
  if (filled !== draft) {
    for (const key of Object.keys(draft)) if (!Object.hasOwn(filled, key)) delete draft[key];
    Object.assign(draft, copyJson(filled), { metadata });
  }
  definition.strategy.defaults(draft);
  yield;
  trimDraft(draft, definition);
  yield;
  checkWrittenValues(draft);
}

/** Whether only the status subresource writes the status. */
export function resetsStatus({ strategy, subresources }: ResourceDefinition): boolean {
  return strategy.resetsStatus && subresources.has('status');
}

/** Restores the stored status if only the status subresource writes the status. */
export function keepStatus(draft: DraftObject, live: ApiObject, definition: ResourceDefinition): void {
  if (resetsStatus(definition)) setOrDelete(draft, 'status', copyJson(live['status']));
}

/** Returns the fields that an endpoint never writes. No manager can own these fields through the endpoint. */
export function resetFields(definition: ResourceDefinition, subresource: string | undefined): readonly string[][] {
  if (subresource === 'status') return [...preservedByStatus(definition), ['spec']];
  return definition.subresources.has('status') ? [['status']] : [];
}

/** Returns the paths of the metadata that a status update does not change. */
export function preservedByStatus({ strategy }: ResourceDefinition): readonly string[][] {
  const kept = strategy.metadataRules?.preservedByStatus;
  if (kept === undefined) return [];
  return kept === 'all' ? [['metadata']] : [['metadata', kept]];
}

/**
 * Returns the object after a status update: the stored object with the new status and the metadata that a status update can change. The
 * result shares its values with both objects.
 */
export function statusOnly<T extends IncomingObject>(draft: T, live: ApiObject, definition: ResourceDefinition): T {
  const next = { ...live } as IncomingObject;
  setOrDelete(next, 'status', draft['status']);
  const [kept] = preservedByStatus(definition);
  const isKept = kept?.length === 1;
  next.metadata = { ...(isKept ? live.metadata : draft.metadata) };
  if (isKept) setOrDelete(next.metadata, 'managedFields', draft.metadata.managedFields);
  else if (kept !== undefined) setOrDelete(next.metadata, 'labels', live.metadata.labels);
  return next as T;
}

/**
 * Whether the desired state has changed: the spec of built-in kinds, or all fields of custom objects except the metadata and, for a kind
 * with a status subresource, the status. In a built-in kind, an empty list has the same value as an unset list.
 */
export function specChanged(next: ApiObject, old: ApiObject, definition: ResourceDefinition): boolean {
  if (!definition.custom) return !deepEqual(withoutEmpty(next, definition)['spec'], old['spec']);
  const left = desired(next, definition);
  return !deepEqual(left, desired(old, definition));
}

/** Whether two states are equal, ignoring managedFields. */
export function sameExceptManagers(next: ApiObject, live: ApiObject): boolean {
  return deepEqual(withoutManagers(next), withoutManagers(live));
}

/** Whether the same managers own the same fields, ignoring the times. */
export function sameManagers(next: ApiObject, live: ApiObject): boolean {
  return deepEqual(timeless(next.metadata.managedFields), timeless(live.metadata.managedFields));
}

/** Returns the object without one of its fields. */
export function without<T extends object>(object: T, field: string): T {
  const { [field]: _, ...rest } = object as Record<string, unknown>;
  return rest as T;
}

function desired(object: object, definition: ResourceDefinition): JsonObject {
  const spec = without(object as Record<string, unknown>, 'metadata');
  return definition.subresources.has('status') ? without(spec, 'status') : spec;
}

function withoutManagers(object: ApiObject): JsonObject {
  return { ...object, metadata: without(object.metadata, 'managedFields') };
}

function timeless(entries: readonly unknown[] | undefined): readonly unknown[] {
  return (entries ?? []).map((entry) => (isObject(entry) ? without(entry, 'time') : entry));
}

function setOrDelete<T extends object, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value === undefined) delete target[key];
  else target[key] = value;
}
