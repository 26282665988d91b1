import { partSchemaOf } from '../metadata/kind-source.js';
import type { AnyClass } from '../metadata/any-class.js';
import { metadataOf } from '../metadata/reflection.js';
import { plainCopy } from '../objects/plain-copy.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { classDefaults } from './class-defaults.js';
import { checkRules, classRules, withRules } from './class-rules.js';
import { type Descriptions, fieldDescription } from './descriptions.js';
import type { FieldNode, FieldRecord, ListNode } from './field-record.js';

/**
 * The schema of a nested class: a property a field, in the order they are declared, `required` where a field is neither
 * optional nor has a default, defaults from initialisers, and the CEL rules of class and fields. A field that is not described
 * has the description of its class.
 * @throws KubewrightError INVALID_RULE for a rule on nothing, and what `classDefaults` throws
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
    const own = {
      ...described(fieldSchema(field, descriptions), fieldDescription(descriptions, shape, name)),
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

/** `schema` with a description, in place of the one that it may have; as it is where nothing is said. */
export function described(schema: StructuralSchema, description: string | undefined): StructuralSchema {
  return description === undefined ? schema : { ...schema, description };
}

/** The schema of what a field decorator describes. An initialiser's default is added by the class that has the field. */
export function fieldSchema(field: FieldRecord, descriptions: Descriptions = silent): StructuralSchema {
  const { nullable, immutable, default: fallback, title, example } = field.options;
  const schema = nodeSchema(field.node, descriptions);
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

function nodeSchema(node: FieldNode, descriptions: Descriptions): StructuralSchema {
  switch (node.type) {
    case 'leaf':
      return node.schema;
    case 'object':
      return classSchema(node.shape, descriptions);
    case 'list':
      return listSchema(node, fieldSchema(node.item, descriptions));
    case 'map': {
      const { minProperties, maxProperties, mapType } = node.options;
      return {
        type: 'object',
        additionalProperties: fieldSchema(node.item, descriptions),
        ...(minProperties === undefined ? {} : { minProperties }),
        ...(maxProperties === undefined ? {} : { maxProperties }),
        ...(mapType === undefined ? {} : { 'x-kubernetes-map-type': mapType }),
      };
    }
  }
}

function listSchema(node: ListNode, items: StructuralSchema): StructuralSchema {
  const { minItems, maxItems, mapKeys, listType } = node.options;
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
