import type { StructuralSchema } from '@kubewright/api/schema';

/**
 * Serializes a schema so that schemas that API servers interpret alike have equal texts. Ignores descriptions, and the order of keys,
 * required fields, and rules.
 */
export function normalSchema(schema: StructuralSchema): string {
  return JSON.stringify(normal(schema), undefined, 1);
}

function normal(schema: StructuralSchema): unknown {
  const entries = Object.entries(schema).flatMap(([key, value]) => {
    const written = normalKeyword(key, value, schema);
    return written === undefined ? [] : [[key, written] as const];
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function normalKeyword(key: string, value: unknown, schema: StructuralSchema): unknown {
  if (key === 'description' || value === false || (key === 'x-kubernetes-list-type' && value === 'atomic')) {
    return key === 'default' || key === 'example' ? value : undefined;
  }
  switch (key) {
    case 'properties':
      return normalProperties(schema);
    case 'items':
    case 'additionalProperties':
    case 'not':
      return typeof value === 'object' ? normal(value as StructuralSchema) : value;
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return (value as readonly StructuralSchema[]).map(normal);
    case 'required': {
      // Ignores required fields with a default, because such a field always has a value.
      const names = schema.required?.filter((name) => schema.properties?.[name]?.default === undefined) ?? [];
      return names.length === 0 ? undefined : names.toSorted();
    }
    case 'x-kubernetes-validations':
      return (value as readonly object[]).map((rule) => JSON.stringify(normal(rule))).toSorted();
    default:
      return value;
  }
}

function normalProperties({ properties = {} }: StructuralSchema): unknown {
  const entries = Object.entries(properties).map(([name, each]) => [name, normal(each)] as const);
  return entries.length === 0 ? undefined : Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
