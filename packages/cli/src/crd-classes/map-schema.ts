import type { StructuralSchema } from '@kubewright/api/schema';
import { without } from './without.js';

/** Applies `change` to the schemas of all properties, list items, and map values, and then to the schema itself. */
export function mapSchema(
  schema: StructuralSchema,
  change: (schema: StructuralSchema) => StructuralSchema,
): StructuralSchema {
  const { properties, items, additionalProperties } = schema;
  const inside = (each: StructuralSchema): StructuralSchema => mapSchema(each, change);
  const entries = Object.entries(properties ?? {}).map(([name, each]) => [name, inside(each)] as const);
  return change({
    ...schema,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(entries) }),
    ...(items === undefined ? {} : { items: inside(items) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: inside(additionalProperties) } : {}),
  });
}

/** Returns a schema without descriptions at any level. */
export function withoutDescriptions(schema: StructuralSchema): StructuralSchema {
  return mapSchema(schema, (each) => without(each, 'description'));
}
