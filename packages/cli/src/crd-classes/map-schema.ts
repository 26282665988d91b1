import type { StructuralSchema } from '@kubewright/api/schema';
import { without } from './without.js';

/** Applies a change to a schema and to all schemas of its fields, items, and values, inner schemas first. */
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

/** Returns a schema without descriptions. */
export function withoutDescriptions(schema: StructuralSchema): StructuralSchema {
  return mapSchema(schema, (each) => without(each, 'description'));
}
