import { copyJson, isJsonMap, type JsonMap, ownValue, setOwn } from './json-shape.js';
import type { StructuralSchema } from './structural-schema.js';

/** How defaults are filled in. */
export interface ApplyDefaultsOptions {
  /**
   * Whether a null stays that the schema does not allow and has no default for. An apply keeps it, and is refused for it; every
   * other write takes it for a field that is not there. @default false
   */
  readonly keepNulls?: boolean;
}

/**
 * Fills in the schema's defaults as the API server does: where a field is missing, and inside values that are there or were
 * just filled in. A null that the schema does not allow becomes the default, or goes when there is none. Never changes
 * `value`; yields `value` itself when there was nothing to do.
 */
export function applyDefaults<T>(
  value: T,
  schema: StructuralSchema,
  { keepNulls = false }: ApplyDefaultsOptions = {},
): T {
  return defaulted(value, schema, keepNulls) as T;
}

function defaulted(value: unknown, schema: StructuralSchema | undefined, keepNulls: boolean): unknown {
  if (Array.isArray(value)) return defaultedList(value, schema?.items, keepNulls);
  return isJsonMap(value) ? defaultedMap(value, schema, keepNulls) : value;
}

function defaultedList(value: readonly unknown[], items: StructuralSchema | undefined, keepNulls: boolean): unknown {
  if (items === undefined) return value;
  let filled: unknown[] | undefined;
  value.forEach((item, index) => {
    const next = defaulted(refusesNull(item, items) ? copyJson(items.default ?? null) : item, items, keepNulls);
    if (next === item) return;
    filled ??= [...value];
    filled[index] = next;
  });
  return filled ?? value;
}

function defaultedMap(value: JsonMap, schema: StructuralSchema | undefined, keepNulls: boolean): unknown {
  if (schema === undefined) return value;
  let filled: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const before = value[key];
    const field = fieldSchema(schema, key);
    if (refusesNull(before, field)) {
      const hasDefault = field.default !== undefined && field.default !== null;
      if (!hasDefault && keepNulls) continue;
      filled ??= { ...value };
      if (hasDefault) setOwn(filled, key, defaulted(copyJson(field.default), field, keepNulls));
      else delete filled[key];
      continue;
    }
    const after = defaulted(before, field, keepNulls);
    if (after === before) continue;
    filled ??= { ...value };
    setOwn(filled, key, after);
  }
  for (const { key, property } of defaultedProperties(schema)) {
    if (Object.hasOwn(value, key) && value[key] !== undefined) continue;
    filled ??= { ...value };
    setOwn(filled, key, defaulted(copyJson(property.default), property, keepNulls));
  }
  return filled ?? value;
}

function fieldSchema(schema: StructuralSchema, key: string): StructuralSchema | undefined {
  const property = ownValue(schema.properties, key);
  if (property !== undefined) return property;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

function refusesNull(value: unknown, schema: StructuralSchema | undefined): schema is StructuralSchema {
  return value === null && schema !== undefined && schema.nullable !== true && !isAnything(schema);
}

// Any JSON value, null included, as in the built-in kinds.
function isAnything(schema: StructuralSchema): boolean {
  return schema.type === undefined && schema['x-kubernetes-int-or-string'] !== true && schema.default === undefined;
}

interface DefaultedProperty {
  readonly key: string;
  readonly property: StructuralSchema;
}

const propertiesBySchema = new WeakMap<StructuralSchema, readonly DefaultedProperty[]>();

function defaultedProperties(schema: StructuralSchema): readonly DefaultedProperty[] {
  const known = propertiesBySchema.get(schema);
  if (known !== undefined) return known;
  const found: DefaultedProperty[] = [];
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (property.default !== undefined && property.default !== null) found.push({ key, property });
  }
  propertiesBySchema.set(schema, found);
  return found;
}
