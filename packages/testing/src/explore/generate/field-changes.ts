import { isJsonObject } from '@kubewright/api/json';
import type { StructuralSchema } from '@kubewright/api/schema';
import {
  candidateTextsOf,
  fullValue,
  integersOf,
  integersOrTextsOf,
  keysOf,
  leastValue,
  textsOf,
} from './field-values.js';
import { withField } from './with-field.js';

/** A change of one field of a spec. */
export interface FieldChange {
  /** The path of the field, such as 'spec.replicas'. The path of an item of a list contains its index. */
  readonly path: string;
  /** The new value. Undefined if the change removes the field. */
  readonly value: unknown;
  /** The spec after the change. */
  readonly spec: unknown;
}

/**
 * The maximum number of optional fields of an absent object that are varied. In an existing nested object, changes use the first 48 fields,
 * twice this number. Types like PodSpec have hundreds of fields.
 */
const MOST_FIELDS = 24;
const DEEPEST = 6;

/**
 * Returns changes of each field of a spec, in rounds: first one change of each field, then the second change of each field, and so on. The
 * changes follow the types and the limits of the schema. They can violate CEL rules.
 */
export function fieldChanges(spec: unknown, schema: StructuralSchema): readonly FieldChange[] {
  const byField = [...fieldsOf({ schema, isOptional: false, value: spec, path: 'spec', replace: (value) => value }, 0)];
  const longest = byField.reduce((most, { length }) => (length > most ? length : most), 0);
  return Array.from({ length: longest }, (_, round) => byField.flatMap((changes) => changes[round] ?? [])).flat();
}

/** A field of a spec. */
interface Place {
  readonly schema: StructuralSchema;
  /** Whether the object without this field is valid. */
  readonly isOptional: boolean;
  readonly value: unknown;
  readonly path: string;
  /** Returns the spec with another value of this field. Undefined removes the field. */
  readonly replace: (value: unknown) => unknown;
}

/** Yields the changes of a field, and the changes of the fields in it. */
function* fieldsOf(place: Place, depth: number): Generator<readonly FieldChange[]> {
  if (depth > DEEPEST) return;
  const { schema, value, path, replace } = place;
  const isRoot = depth === 0;
  const values = isRoot ? [] : otherValues(place);
  if (values.length > 0) yield values.map((each) => ({ path, value: each, spec: replace(each) }));
  if (isJsonObject(value)) {
    const properties = Object.entries(schema.properties ?? {});
    for (const [name, field] of properties.slice(0, isRoot ? undefined : 2 * MOST_FIELDS)) {
      yield* fieldsOf(
        {
          schema: field,
          isOptional: schema.required?.includes(name) !== true,
          value: value[name],
          path: `${path}.${name}`,
          replace: (next) => replace(withField(value, name, next)),
        },
        depth + 1,
      );
    }
    yield* valuesOfMap(place, value, depth);
    return;
  }
  if (Array.isArray(value) && value.length > 0 && schema.items !== undefined) {
    yield* fieldsOf(
      {
        schema: schema.items,
        isOptional: false,
        value: value[0],
        path: `${path}[0]`,
        replace: (next) => replace(next === undefined ? value.slice(1) : [next, ...value.slice(1)]),
      },
      depth + 1,
    );
  }
}

/** Yields the changes of the first value of a map. */
function* valuesOfMap(
  { schema: { additionalProperties: schema }, path, replace }: Place,
  map: Readonly<Record<string, unknown>>,
  depth: number,
): Generator<readonly FieldChange[]> {
  const [key] = Object.keys(map);
  if (typeof schema !== 'object' || key === undefined) return;
  yield* fieldsOf(
    {
      schema,
      isOptional: false,
      value: map[key],
      path: `${path}.${key}`,
      replace: (next) => replace(withField(map, key, next)),
    },
    depth + 1,
  );
}

/**
 * Returns the values that a change can give to a field, without the current value and without duplicates. For an optional field with a
 * value, the last value is undefined, which removes the field.
 */
function otherValues({ schema, isOptional, value, path }: Place): readonly unknown[] {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const all = [...valuesOf(name, schema, value), ...(isOptional && value !== undefined ? [undefined] : [])];
  const texts = new Set([JSON.stringify(value)]);
  return all.filter((each) => {
    const text = JSON.stringify(each);
    if (texts.has(text)) return false;
    texts.add(text);
    return true;
  });
}

function valuesOf(name: string, schema: StructuralSchema, value: unknown): readonly unknown[] {
  if (schema.enum !== undefined) return schema.enum;
  if (schema['x-kubernetes-int-or-string'] === true) return integersOrTextsOf(name, schema);
  switch (schema.type) {
    case 'boolean':
      return [value !== true, value === true];
    case 'integer':
    case 'number':
      return integersOf(schema, typeof value === 'number' ? value : undefined);
    case 'string':
      return candidateTextsOf(name, schema);
    case 'array':
      return listsOf(name, schema, Array.isArray(value) ? value : []);
    case 'object':
      return objectsOf(name, schema, isJsonObject(value) ? value : undefined);
    default:
      return [];
  }
}

function listsOf(
  name: string,
  { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: StructuralSchema,
  list: readonly unknown[],
): readonly unknown[] {
  const itemName = name.replace(/s$/, '');
  const others = items.type === 'string' ? textsOf(itemName, items).slice(1, 2) : [fullValue(itemName, items)];
  const added = [...new Set([leastValue(itemName, items), ...others])].filter((each) => !list.includes(each));
  const lists = [
    ...added.filter((each) => each !== undefined).map((each) => [...list, each]),
    list.slice(1),
    [],
    list.toReversed(),
    [...list, ...list.slice(0, 1)],
  ];
  return lists.filter(({ length }) => length >= minItems && length <= maxItems);
}

function objectsOf(
  field: string,
  schema: StructuralSchema,
  value: Readonly<Record<string, unknown>> | undefined,
): readonly unknown[] {
  const { additionalProperties, properties = {} } = schema;
  if (typeof additionalProperties === 'object') {
    const added = leastValue('value', additionalProperties);
    const [first, ...others] = Object.keys(value ?? {});
    const fewer = first === undefined ? [] : [Object.fromEntries(others.map((key) => [key, value?.[key]]))];
    return [...keysOf(field).map((key) => ({ ...value, [key]: added })), ...fewer, {}];
  }
  if (value !== undefined) return [];
  const least = leastValue('', schema) as Readonly<Record<string, unknown>>;
  const optional = Object.entries(properties).filter(([name]) => !(name in least));
  const one = optional.slice(0, MOST_FIELDS).flatMap(([name, each]) => {
    const [first] = valuesOf(name, each, undefined);
    return first === undefined ? [] : [{ ...least, [name]: first }];
  });
  return [least, ...one];
}
