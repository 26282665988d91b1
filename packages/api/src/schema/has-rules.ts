import { isJsonMap } from './json-shape.js';
import type { StructuralSchema } from './structural-schema.js';

/** Whether a schema, or any nested schema, has CEL rules. Without rules, the CEL implementation is not loaded. */
export function hasRules(schema: StructuralSchema, seen = new Set<StructuralSchema>()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const { properties = {}, items, additionalProperties } = schema;
  if ((schema['x-kubernetes-validations'] ?? []).length > 0) return true;
  if (isJsonMap(items) && hasRules(items, seen)) return true;
  if (isJsonMap(additionalProperties) && hasRules(additionalProperties, seen)) return true;
  return Object.values(properties).some((property) => hasRules(property, seen));
}
