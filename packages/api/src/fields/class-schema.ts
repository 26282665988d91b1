import { partSchemaOf } from '../metadata/kind-source.js';
import type { AnyClass } from '../metadata/any-class.js';
import { metadataOf } from '../metadata/reflection.js';
import { plainCopy } from '../objects/plain-copy.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { classDefaults } from './class-defaults.js';
import { checkRules, classRules, withRules } from './class-rules.js';
import type { FieldNode, FieldRecord, ListNode } from './field-record.js';

/**
 * The schema of a nested class: a property a field, in the order they are declared, `required` where a field is neither
 * optional nor has a default, defaults from initialisers, and the CEL rules of class and fields.
 * @throws KubewrightError INVALID_RULE for a rule on nothing, and what `classDefaults` throws
 */
export function classSchema(shape: AnyClass): StructuralSchema {
  const part = partSchemaOf(shape);
  if (part !== undefined) return part();
  const metadata = metadataOf(shape);
  checkRules(shape, metadata);
  const defaults = classDefaults(shape);
  const properties: Record<string, StructuralSchema> = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(metadata.fields)) {
    const own = { ...fieldSchema(field), ...(name in defaults ? { default: defaults[name] } : {}) };
    properties[name] = withRules(own, metadata.fieldRules[name] ?? []);
    if (field.options.optional !== true && own.default === undefined) required.push(name);
  }
  const schema: StructuralSchema = {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
  };
  return withRules(schema, classRules(metadata));
}

/** The schema of what a field decorator describes. An initialiser's default is added by the class that has the field. */
export function fieldSchema(field: FieldRecord): StructuralSchema {
  const { nullable, immutable, default: fallback, title, example } = field.options;
  const schema = nodeSchema(field.node);
  const rules = [
    ...(schema['x-kubernetes-validations'] ?? []),
    ...(immutable === true ? [{ rule: 'self == oldSelf', message: 'Value is immutable' }] : []),
  ];
  return {
    ...(title === undefined ? {} : { title }),
    ...schema,
    ...(nullable === true ? { nullable: true } : {}),
    ...(fallback === undefined ? {} : { default: plainCopy(fallback, 'default') }),
    ...(example === undefined ? {} : { example: plainCopy(example, 'example') }),
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
  };
}

function nodeSchema(node: FieldNode): StructuralSchema {
  switch (node.type) {
    case 'leaf':
      return node.schema;
    case 'object':
      return classSchema(node.shape);
    case 'list':
      return listSchema(node);
    case 'map': {
      const { minProperties, maxProperties, mapType } = node.options;
      return {
        type: 'object',
        additionalProperties: fieldSchema(node.item),
        ...(minProperties === undefined ? {} : { minProperties }),
        ...(maxProperties === undefined ? {} : { maxProperties }),
        ...(mapType === undefined ? {} : { 'x-kubernetes-map-type': mapType }),
      };
    }
  }
}

function listSchema(node: ListNode): StructuralSchema {
  const { minItems, maxItems, mapKeys, listType } = node.options;
  const items = fieldSchema(node.item);
  const type = listType ?? (mapKeys !== undefined ? 'map' : items.enum !== undefined ? 'set' : 'atomic');
  return {
    type: 'array',
    items,
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
    'x-kubernetes-list-type': type,
    ...(mapKeys === undefined ? {} : { 'x-kubernetes-list-map-keys': [...mapKeys] }),
  };
}
