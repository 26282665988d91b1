import { fieldSchema, refusesNull } from './apply-defaults.js';
import { isJsonMap, type JsonMap } from './json-shape.js';
import type { StructuralSchema } from './structural-schema.js';

/**
 * Removes each null field that the schema does not allow and that has no default, as the API server does with the result of a conversion
 * webhook. Null list items stay. Never changes `value`. Returns `value` itself if nothing changes.
 */
export function pruneNulls<T>(value: T, schema: StructuralSchema): T {
  return pruned(value, schema) as T;
}

function pruned(value: unknown, schema: StructuralSchema | undefined): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return prunedList(value, schema.items);
  return isJsonMap(value) ? prunedMap(value, schema) : value;
}

function prunedList(value: readonly unknown[], items: StructuralSchema | undefined): unknown {
  const kept = value.map((item) => pruned(item, items));
  return kept.some((item, at) => item !== value[at]) ? kept : value;
}

function prunedMap(value: JsonMap, schema: StructuralSchema): unknown {
  const entries = Object.entries(value);
  const kept = entries.flatMap(([key, before]) => {
    const field = fieldSchema(schema, key);
    const isDropped = refusesNull(before, field) && (field.default ?? null) === null;
    return isDropped ? [] : [[key, pruned(before, field)] as const];
  });
  const isSame = kept.length === entries.length && kept.every(([key, after]) => after === value[key]);
  return isSame ? value : Object.fromEntries(kept);
}
