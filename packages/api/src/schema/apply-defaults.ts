import { copyJson, isJsonMap, type JsonMap, ownValue, setOwn } from './json-shape.js';
import type { StructuralSchema } from './structural-schema.js';

/** Options of `applyDefaults`. */
export interface ApplyDefaultsOptions {
  /**
   * Whether to keep a null that the schema does not allow and for which there is no default. For server-side apply, the API server keeps
   * such a null, and its validation then rejects the object. For every other write, such a null counts as a missing field. @default false
   */
  readonly keepNulls?: boolean;
  /** Called with each default before the default is copied into the value. The function can throw to stop `applyDefaults`. */
  readonly onFill?: (value: unknown) => void;
}

/** The options with their defaults. */
type Filling = Required<ApplyDefaultsOptions>;

/**
 * Applies the defaults of a schema like the API server: to missing fields, including fields within existing values and within applied
 * defaults. A null that the schema does not allow is replaced by the default. If there is no default, a null field is removed, and a null
 * list item stays. Never changes `value`. Returns `value` itself if nothing changes.
 */
export function applyDefaults<T>(
  value: T,
  schema: StructuralSchema,
  { keepNulls = false, onFill = () => undefined }: ApplyDefaultsOptions = {},
): T {
  return defaulted(value, schema, { keepNulls, onFill }) as T;
}

function copyOfDefault(value: unknown, { onFill }: Filling): unknown {
  onFill(value);
  return copyJson(value);
}

function defaulted(value: unknown, schema: StructuralSchema | undefined, filling: Filling): unknown {
  if (Array.isArray(value)) return defaultedList(value, schema?.items, filling);
  return isJsonMap(value) ? defaultedMap(value, schema, filling) : value;
}

function defaultedList(value: readonly unknown[], items: StructuralSchema | undefined, filling: Filling): unknown {
  if (items === undefined) return value;
  let filled: unknown[] | undefined;
  value.forEach((item, index) => {
    const next = defaulted(
      refusesNull(item, items) ? copyOfDefault(items.default ?? null, filling) : item,
      items,
      filling,
    );
    if (next === item) return;
    filled ??= [...value];
    filled[index] = next;
  });
  return filled ?? value;
}

function defaultedMap(value: JsonMap, schema: StructuralSchema | undefined, filling: Filling): unknown {
  if (schema === undefined) return value;
  let filled: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const before = value[key];
    const field = fieldSchema(schema, key);
    if (refusesNull(before, field)) {
      const hasDefault = field.default !== undefined && field.default !== null;
      if (!hasDefault && filling.keepNulls) continue;
      filled ??= { ...value };
      if (hasDefault) setOwn(filled, key, defaulted(copyOfDefault(field.default, filling), field, filling));
      else delete filled[key];
      continue;
    }
    const after = defaulted(before, field, filling);
    if (after === before) continue;
    filled ??= { ...value };
    setOwn(filled, key, after);
  }
  for (const { key, property } of defaultedProperties(schema)) {
    if (Object.hasOwn(value, key) && value[key] !== undefined) continue;
    filled ??= { ...value };
    setOwn(filled, key, defaulted(copyOfDefault(property.default, filling), property, filling));
  }
  return filled ?? value;
}

/** Returns the schema of a field of a map, or undefined if the schema does not describe the field. */
export function fieldSchema(schema: StructuralSchema, key: string): StructuralSchema | undefined {
  const property = ownValue(schema.properties, key);
  if (property !== undefined) return property;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

/** Whether a value is a null that its schema does not allow. */
export function refusesNull(value: unknown, schema: StructuralSchema | undefined): schema is StructuralSchema {
  return value === null && schema !== undefined && schema.nullable !== true && !isAnything(schema);
}

// Whether a schema allows any JSON value, including null. Such schemas are in the built-in kinds.
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
