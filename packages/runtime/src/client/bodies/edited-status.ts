import type { KubeObject } from '@kubewright/api';
import { copyValue, isJsonObject, type JsonObject, setField } from '@kubewright/api/json';
import { deepEqual, mergePatch } from '@kubewright/api/patch';
import type { StructuralSchema } from '@kubewright/api/schema';
import { withVersion } from './edited-object.js';
import { hasList, withoutUndefined } from '../requests/json-value.js';

/** The inputs of a status patch. */
export interface StatusEdit {
  readonly object: KubeObject;
  /** The status fields to replace, or a function that changes a copy of the status. */
  readonly edit: JsonObject | ((status: never) => void);
  /** The schema of the whole object. Determines whether the kind has an observedGeneration. */
  readonly schema: StructuralSchema | undefined;
  readonly now: Date;
  /** Whether to set the observedGeneration of the status if the kind has this field. @default true */
  readonly observed?: boolean | undefined;
}

/**
 * Returns the merge patch for the status subresource. Returns undefined if the edit changes nothing. Adds the resourceVersion if the patch
 * contains a list, because a merge patch replaces the whole list.
 */
export function patchOfStatus({ object, edit, schema, now, observed = true }: StatusEdit): JsonObject | undefined {
  const before = statusOf(object);
  const desired: Record<string, unknown> = typeof edit === 'function' ? edited(before, edit) : assigned(before, edit);
  if (Array.isArray(desired.conditions) && desired.conditions !== before.conditions) {
    desired.conditions = stampedConditions({
      before: before.conditions,
      after: desired.conditions,
      object,
      schema,
      now,
    });
  }
  const generation = object.metadata.generation;
  const observes = observed && hasField(schema, ['status', 'observedGeneration'], 'observedGeneration' in before);
  if (generation !== undefined && observes) {
    desired.observedGeneration = generation;
  }
  const patch = mergePatch({ status: before }, { status: desired });
  if (!isJsonObject(patch)) return undefined;
  return hasList(patch) ? withVersion(patch, object) : patch;
}

function edited(before: JsonObject, edit: (status: never) => void): JsonObject {
  const draft: JsonObject = copyValue(before);
  edit(draft as never);
  return withoutUndefined(draft);
}
/**
 * Returns the status with the given fields. The other fields are the same values as in `before`, not copies, so that the comparison skips
 * them.
 */
function assigned(before: JsonObject, fields: JsonObject): JsonObject {
  const status: Record<string, unknown> = {};
  for (const name of Object.keys({ ...before, ...fields })) {
    const isGiven = Object.hasOwn(fields, name);
    const value = isGiven ? withoutUndefined(fields[name]) : before[name];
    if (value !== undefined) setField(status, name, value);
  }
  return status;
}

interface Stamping {
  readonly before: unknown;
  readonly after: readonly unknown[];
  readonly object: KubeObject;
  readonly schema: StructuralSchema | undefined;
  readonly now: Date;
}

/**
 * Sets the transition time and the observedGeneration of conditions. Sets each field only if the kind has the field; see `transitionTime`
 * for the time. Does not change a condition that the edit did not change.
 */
function stampedConditions(stamping: Stamping): unknown[] {
  const { before, after } = stamping;
  const known = Array.isArray(before) ? before.filter(isJsonObject) : [];
  return after.map((condition) => {
    if (!isJsonObject(condition)) return condition;
    const old = known.find((one) => one.type === condition.type);
    return old !== undefined && deepEqual(old, condition) ? old : stampedCondition(condition, old, stamping);
  });
}

function stampedCondition(condition: JsonObject, old: JsonObject | undefined, using: Stamping): JsonObject {
  const { object, schema, now } = using;
  const stamped: Record<string, unknown> = { ...condition };
  if (hasField(schema, ['status', 'conditions', 'lastTransitionTime'], true)) {
    stamped.lastTransitionTime = transitionTime(old, condition, now);
  }
  const observed = object.metadata.generation ?? old?.observedGeneration;
  if (
    observed !== undefined &&
    hasField(schema, ['status', 'conditions', 'observedGeneration'], old?.observedGeneration !== undefined)
  ) {
    stamped.observedGeneration = observed;
  }
  return stamped;
}

/**
 * Returns the transition time of a condition: the time that the edit set, if any; the current time if the status of the condition changed;
 * otherwise the previous time.
 */
function transitionTime(old: JsonObject | undefined, condition: JsonObject, now: Date): unknown {
  const given = condition.lastTransitionTime;
  if (given !== undefined && given !== '' && given !== old?.lastTransitionTime) return given;
  const isSame = old !== undefined && old.status === condition.status && old.lastTransitionTime;
  return isSame ? old.lastTransitionTime : now.toISOString().replace(/\.\d+Z$/, 'Z');
}

/**
 * Whether the schema defines a field. The path can lead through list items. Returns `otherwise` if the schema is unknown, or if the schema
 * does not define the field but preserves unknown fields.
 */
function hasField(schema: StructuralSchema | undefined, path: readonly string[], otherwise: boolean): boolean {
  if (schema === undefined) return otherwise;
  let at: StructuralSchema | undefined = schema;
  for (const name of path) {
    const within: StructuralSchema | undefined = at.items ?? at;
    at = within.properties?.[name];
    if (at === undefined) return within['x-kubernetes-preserve-unknown-fields'] === true && otherwise;
  }
  return true;
}

function statusOf(object: KubeObject): JsonObject {
  const { status } = object as KubeObject & { readonly status?: unknown };
  return isJsonObject(status) ? status : {};
}
