import { isJsonMap } from '../../schema/json-shape.js';
import type { StructuralSchema } from '../../schema/structural-schema.js';
import { type CelType, celTypes, listOf, mapOf, structType } from '../values/cel-type.js';
import type { Fields } from './environment.js';
import { escapeName } from '../syntax/escape-name.js';
import { withObjectMeta } from '../values/with-object-meta.js';

/** The declaration of the values of a schema: their type, and their size for cost estimates. */
export interface DeclaredType {
  readonly type: CelType;
  /** The fields of an object, keyed by their names in expressions. */
  readonly fields?: ReadonlyMap<string, DeclaredType>;
  /** The type of the elements of a list or of the values of a map. */
  readonly element?: DeclaredType;
  /** The type of the keys of a map. */
  readonly key?: DeclaredType;
  /**
   * The maximum size: the number of elements of a list, of entries of a map, or of bytes of a string, a bytes value, a duration, a
   * timestamp or an int-or-string. 0 for booleans, numbers, objects and the keys of a map.
   */
  readonly maxElements: number;
  /** The minimum size of the JSON encoding of a value, in bytes. */
  readonly minBytes: number;
}

/** The maximum size of a request in bytes, which limits the sizes in estimates. */
export const LARGEST_REQUEST = 3 * 1024 * 1024;

const LONGEST_TEXT = LARGEST_REQUEST - 2;
const KEY: DeclaredType = { type: celTypes.string, maxElements: 0, minBytes: 2 };

/**
 * Returns the type of the values of a schema. The name of an object type is the path of the object, prefixed with `name`. Returns undefined
 * for values that expressions cannot reach: preserved values without a type, and lists and maps of such values.
 */
export function declareType(schema: StructuralSchema, name: string, root = false): DeclaredType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) {
    return { type: celTypes.dyn, maxElements: textLimit(schema) ?? LONGEST_TEXT, minBytes: 1 };
  }
  const whole = root ? withObjectMeta(schema) : schema;
  switch (whole.type) {
    case 'array':
      return declareList(whole, name);
    case 'object':
      return isJsonMap(whole.additionalProperties) ? declareMap(whole, name) : declareObject(whole, name);
    case 'string':
      return declareText(whole);
    case 'boolean':
      return { type: celTypes.bool, maxElements: 0, minBytes: 4 };
    case 'number':
      return { type: celTypes.double, maxElements: 0, minBytes: 1 };
    case 'integer':
      return { type: celTypes.int, maxElements: 0, minBytes: 1 };
    default:
      return undefined;
  }
}

function within(schema: StructuralSchema, name: string): DeclaredType | undefined {
  return declareType(schema, name, schema['x-kubernetes-embedded-resource'] === true);
}

function declareList({ items, maxItems }: StructuralSchema, name: string): DeclaredType | undefined {
  const element = items === undefined ? undefined : within(items, `${name}.@idx`);
  if (element === undefined) return undefined;
  const fitting = Math.floor((LARGEST_REQUEST - 2) / (element.minBytes + 1));
  return { type: listOf(element.type), element, maxElements: bounded(maxItems) ?? fitting, minBytes: 2 };
}

function declareMap(schema: StructuralSchema, name: string): DeclaredType | undefined {
  const element = within(schema.additionalProperties as StructuralSchema, `${name}.@elem`);
  if (element === undefined) return undefined;
  const fitting = Math.floor((LARGEST_REQUEST - 2) / (element.minBytes + 6));
  const maxElements = bounded(schema.maxProperties) ?? fitting;
  return { type: mapOf(celTypes.string, element.type), key: KEY, element, maxElements, minBytes: 2 };
}

function declareObject({ properties = {}, required = [] }: StructuralSchema, name: string): DeclaredType {
  const fields = new Map<string, DeclaredType>();
  const needed = new Set(required);
  let minBytes = 2;
  for (const [property, schema] of Object.entries(properties)) {
    const escaped = escapeName(property);
    const field = within(schema, `${name}.${escaped ?? property}`);
    if (field === undefined) continue;
    if (escaped !== undefined) fields.set(escaped, field);
    if (needed.has(property) && schema.default === undefined) minBytes += property.length + field.minBytes + 4;
  }
  return { type: structType(name), fields, maxElements: 0, minBytes };
}

function declareText(schema: StructuralSchema): DeclaredType {
  switch (schema.format) {
    case 'byte':
      return { type: celTypes.bytes, maxElements: bounded(schema.maxLength) ?? LONGEST_TEXT, minBytes: 2 };
    case 'duration':
      return { type: celTypes.duration, maxElements: 32, minBytes: 3 };
    case 'date':
      return { type: celTypes.timestamp, maxElements: 12, minBytes: 12 };
    case 'date-time':
      return { type: celTypes.timestamp, maxElements: 32, minBytes: 21 };
    default:
      return {
        type: celTypes.string,
        maxElements: textLimit(schema) ?? longestChoice(schema) ?? LONGEST_TEXT,
        minBytes: 2,
      };
  }
}

// In UTF-8, a character takes at most four bytes.
function textLimit({ maxLength }: StructuralSchema): number | undefined {
  const limit = bounded(maxLength);
  return limit === undefined ? undefined : limit * 4;
}

function longestChoice({ enum: choices }: StructuralSchema): number | undefined {
  if (choices === undefined || choices.length === 0) return undefined;
  return choices.reduce<number>(
    (most, choice) => (typeof choice === 'string' ? Math.max(most, Buffer.byteLength(choice)) : most),
    0,
  );
}

function bounded(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : Math.max(0, limit);
}

/** Returns the fields of every object type within a type, keyed by the name of the object type. */
export function objectFields(declared: DeclaredType): ReadonlyMap<string, Fields> {
  const found = new Map<string, Fields>();
  collect(declared, found);
  return found;
}

function collect({ type, fields, element }: DeclaredType, found: Map<string, Fields>): void {
  if (element !== undefined) collect(element, found);
  if (fields === undefined) return;
  found.set(type.name, new Map(Array.from(fields, ([name, field]) => [name, field.type] as const)));
  for (const field of fields.values()) collect(field, found);
}
