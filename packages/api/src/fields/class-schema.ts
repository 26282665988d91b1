import { partSchemaOf } from '../metadata/kind-source.js';
import type { AnyClass } from '../metadata/any-class.js';
import { metadataOf } from '../metadata/reflection.js';
import { plainCopy } from '../objects/plain-copy.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { classDefaults } from './class-defaults.js';
import { checkRules, classRules, withRules } from './class-rules.js';
import { constraintsOf, narrowed } from './constraints.js';
import { type Descriptions, fieldDescription } from './descriptions.js';
import type { ObjectOptions } from './field-options.js';
import type { FieldNode, FieldRecord, ListNode } from './field-record.js';

/**
 * Returns the schema of a nested class: one property per field in the order of declaration, defaults from initializers, and the CEL rules
 * of the class and its fields. A field is `required` if it is not optional and has no default. If a field has no description and contains
 * an object of a nested class, it has the description of the nested class.
 * @throws KubewrightError INVALID_RULE for a rule on a field that does not exist, and the errors of `classDefaults`
 */
export function classSchema(shape: AnyClass, descriptions: Descriptions = silent): StructuralSchema {
  const part = partSchemaOf(shape);
  if (part !== undefined) return part();
  const metadata = metadataOf(shape);
  checkRules(shape, metadata);
  const defaults = classDefaults(shape);
  const properties: Record<string, StructuralSchema> = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(metadata.fields)) {
    const description = field.options.description ?? fieldDescription(descriptions, shape, name);
    const own = {
      ...described(fieldSchema(field, descriptions), description),
      ...(name in defaults ? { default: defaults[name] } : {}),
    };
    properties[name] = withRules(own, metadata.fieldRules[name] ?? []);
    if (field.options.optional !== true && own.default === undefined) required.push(name);
  }
  const schema: StructuralSchema = {
    type: 'object',
    ...metadata.schema,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
  return described(withRules(schema, classRules(metadata)), descriptions(shape));
}

const silent: Descriptions = () => undefined;

/**
 * Returns `schema` with the given description. If the description is undefined, the schema keeps its description. '' removes the
 * description.
 */
export function described(schema: StructuralSchema, description: string | undefined): StructuralSchema {
  if (description === undefined) return schema;
  const { description: _, ...others } = schema;
  return description === '' ? others : { ...others, description };
}

/** Returns the schema of a field decorator. Does not contain the default of an initializer, which `classSchema` adds. */
export function fieldSchema(field: FieldRecord, descriptions: Descriptions = silent): StructuralSchema {
  const {
    nullable,
    immutable,
    rules = [],
    default: fallback,
    title,
    description,
    example,
    externalDocs,
  } = field.options;
  const node = nodeSchema(field.node, descriptions);
  const schema = field.constraints === undefined ? node : narrowed(node, field.constraints);
  const written: StructuralSchema = {
    ...(nullable === true ? nullableSchema(described(schema, description)) : described(schema, description)),
    ...(title === undefined ? {} : { title }),
    ...(externalDocs === undefined ? {} : { externalDocs: { ...externalDocs } }),
    ...(fallback === undefined ? {} : { default: plainCopy(fallback, 'default') }),
    ...(example === undefined ? {} : { example: plainCopy(example, 'example') }),
  };
  return withRules(written, [...rules, ...(immutable === true ? [neverChanges] : [])]);
}

/**
 * Makes a schema nullable. Moves its enum into allOf, because the API server rejects null for a field with an enum, but does not apply
 * allOf to null.
 */
function nullableSchema({ enum: values, ...schema }: StructuralSchema): StructuralSchema {
  if (values === undefined) return { ...schema, nullable: true };
  return { ...schema, nullable: true, allOf: [...(schema.allOf ?? []), { enum: values }] };
}

const neverChanges = { rule: 'self == oldSelf', message: 'field is immutable' } as const;

function nodeSchema(node: FieldNode, descriptions: Descriptions): StructuralSchema {
  switch (node.type) {
    case 'leaf':
      return node.schema;
    case 'object':
      return objectSchema(classSchema(node.shape, descriptions), node.options);
    case 'list':
      return listSchema(node, fieldSchema(node.item, descriptions));
    case 'map':
      return objectSchema({ type: 'object', additionalProperties: fieldSchema(node.item, descriptions) }, node.options);
  }
}

function objectSchema(schema: StructuralSchema, options: ObjectOptions): StructuralSchema {
  const { mapType, preserveUnknownFields } = options;
  return {
    ...narrowed(schema, constraintsOf(options)),
    ...(mapType === undefined ? {} : { 'x-kubernetes-map-type': mapType }),
    ...(preserveUnknownFields === true ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
  };
}

function listSchema(node: ListNode, items: StructuralSchema): StructuralSchema {
  const { mapKeys, listType } = node.options;
  const type = listType ?? (mapKeys !== undefined ? 'map' : items.enum !== undefined ? 'set' : 'atomic');
  return {
    type: 'array',
    items,
    ...constraintsOf(node.options),
    'x-kubernetes-list-type': type,
    ...(mapKeys === undefined ? {} : { 'x-kubernetes-list-map-keys': [...mapKeys] }),
  };
}
