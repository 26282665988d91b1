import type { StructuralSchema } from '@kubewright/api/schema';

/** The type of a value in an object that matches the schema of its kind. */
export type Shape =
  | { readonly type: 'string' /** Whether the schema admits only ASCII characters. */; readonly isAscii?: boolean }
  /** An integer. Without bounds, a value can be too large for exact arithmetic in JavaScript. */
  | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'number' | 'boolean' }
  | { readonly type: 'list'; readonly item: Shape }
  | { readonly type: 'map'; readonly item: Shape }
  /** The keys of a map. CEL iterates over the keys of the map itself. */
  | { readonly type: 'keys' }
  /** The operation of a request. CEL uses uppercase names such as `CREATE`. */
  | { readonly type: 'operation' }
  | { readonly type: 'object'; readonly fields: ReadonlyMap<string, FieldShape> }
  /**
   * A value whose type depends on the object, or differs between a policy and a rule. An expression can only check whether the value is
   * present.
   */
  | { readonly type: 'opaque' };

/** The shape of a field, and whether objects of the kind always have the field. */
export interface FieldShape {
  readonly shape: Shape;
  readonly isRequired: boolean;
}

export const STRING: Shape = { type: 'string' };
export const ASCII: Shape = { type: 'string', isAscii: true };
export const BOOLEAN: Shape = { type: 'boolean' };
const OPAQUE: Shape = { type: 'opaque' };
const INT32 = 2 ** 31;
/** Formats whose values are not strings in rules of a definition. */
const PARSED_FORMATS = ['date', 'date-time', 'duration', 'byte', 'datetime'];

/** The fields of metadata that every object can have. */
const METADATA: Shape = {
  type: 'object',
  fields: new Map<string, FieldShape>([
    ['name', { shape: ASCII, isRequired: true }],
    ['namespace', { shape: ASCII, isRequired: false }],
    ['labels', { shape: { type: 'map', item: ASCII }, isRequired: false }],
    ['annotations', { shape: { type: 'map', item: STRING }, isRequired: false }],
    ['finalizers', { shape: { type: 'list', item: STRING }, isRequired: false }],
    ['deletionTimestamp', { shape: OPAQUE, isRequired: false }],
  ]),
};

/** Returns the shape of the objects of a kind from the schema of a version. */
export function shapeOfKind(schema: StructuralSchema): Shape {
  const shape = shapeOf(schema);
  if (shape.type !== 'object') return OPAQUE;
  const own = new Map(shape.fields);
  for (const name of ['apiVersion', 'kind']) own.set(name, { shape: STRING, isRequired: true });
  own.set('metadata', { shape: METADATA, isRequired: true });
  return { type: 'object', fields: own };
}

function shapeOf(schema: StructuralSchema): Shape {
  if (schema.nullable === true || schema['x-kubernetes-int-or-string'] === true) return OPAQUE;
  switch (schema.type) {
    case 'string':
      return PARSED_FORMATS.includes(schema.format ?? '') ? OPAQUE : { type: 'string', isAscii: isAscii(schema) };
    case 'boolean':
      return BOOLEAN;
    case 'number':
      return { type: 'number' };
    case 'integer':
      return integerShape(schema);
    case 'array':
      return schema.items === undefined ? OPAQUE : { type: 'list', item: shapeOf(schema.items) };
    case 'object':
      return objectShape(schema);
    default:
      return OPAQUE;
  }
}

/** Reports whether an enum or a pattern of simple classes admits only ASCII characters. */
function isAscii({ enum: values, pattern = '' }: StructuralSchema): boolean {
  if (values !== undefined) return values.every((value) => /^[\x20-\x7E]*$/.test(String(value)));
  return /^\^(?:(?:\[[A-Za-z0-9_.:/ -]+\]|[A-Za-z0-9_:/@-])(?:[*+?]|\{\d+(?:,\d*)?\})?)*\$$/.test(pattern);
}

function integerShape({ format, minimum, maximum }: StructuralSchema): Shape {
  const bounds = format === 'int32' ? [-INT32, INT32 - 1] : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const [least = 0, most = 0] = bounds;
  return { type: 'integer', minimum: Math.max(least, minimum ?? least), maximum: Math.min(most, maximum ?? most) };
}

function objectShape(schema: StructuralSchema): Shape {
  const { properties, additionalProperties, required = [] } = schema;
  if (schema['x-kubernetes-embedded-resource'] === true) return OPAQUE;
  if (properties !== undefined) {
    // A default applies to nullable fields as well, but a nullable field is opaque.
    const fields = Object.entries(properties).map(([name, field]): [string, FieldShape] => {
      return [name, { shape: shapeOf(field), isRequired: required.includes(name) || field.default !== undefined }];
    });
    return { type: 'object', fields: new Map(fields) };
  }
  return typeof additionalProperties === 'object' ? { type: 'map', item: shapeOf(additionalProperties) } : OPAQUE;
}
