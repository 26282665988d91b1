import type { StructuralSchema } from '@kubewright/api/schema';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';

const exposed = new WeakMap<ResourceDefinition, StructuralSchema>();

/**
 * Returns the schema of a kind for the type check of policies. As in Kubernetes, the schema omits the quantities of built-in kinds. If a
 * schema contains itself, the inner schema is an object without fields.
 */
export function exposedSchema(definition: ResourceDefinition): StructuralSchema {
  if (definition.custom === true) return definition.schema;
  const known = exposed.get(definition);
  if (known !== undefined) return known;
  const schema = withoutQuantities(definition.schema, new Set());
  exposed.set(definition, schema);
  return schema;
}

function withoutQuantities(schema: StructuralSchema, within: Set<StructuralSchema>): StructuralSchema {
  // Among the types of built-in kinds that accept both integers and strings, only quantities have a pattern.
  if (schema['x-kubernetes-int-or-string'] === true) return schema.pattern === undefined ? schema : {};
  if (within.has(schema)) return { type: 'object' };
  within.add(schema);
  const { items, additionalProperties, properties } = schema;
  const copy: StructuralSchema = {
    ...schema,
    ...(items === undefined ? {} : { items: withoutQuantities(items, within) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: withoutQuantities(additionalProperties, within) }
      : {}),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, withoutQuantities(each, within)]),
          ),
        }),
  };
  within.delete(schema);
  return copy;
}
