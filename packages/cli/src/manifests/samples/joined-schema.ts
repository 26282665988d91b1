import type { StructuralSchema } from '@kubewright/api/schema';
import type { Decisions } from './decisions.js';

/**
 * Merges a schema with all branches of `allOf`, and with one branch each of `anyOf` and `oneOf`. `decisions` selects these branches. The
 * merged schema is used only to create values; the original schema validates the values.
 */
export function joinedSchema(schema: StructuralSchema, field: string, decisions: Decisions): StructuralSchema {
  const { allOf = [], anyOf, oneOf, ...own } = schema;
  const branches = [
    ...allOf,
    decisions.take(field, 'anyOf', anyOf ?? []),
    decisions.take(field, 'oneOf', oneOf ?? []),
  ].filter((branch) => branch !== undefined);
  return branches.reduce<StructuralSchema>(
    (joined, branch, index) => join(joined, joinedSchema(branch, `${field}~${index}`, decisions)),
    own,
  );
}

function join(one: StructuralSchema, other: StructuralSchema): StructuralSchema {
  const properties = { ...one.properties };
  for (const [name, property] of Object.entries(other.properties ?? {})) {
    properties[name] = join(properties[name] ?? {}, property);
  }
  const both = <T>(a: T | undefined, b: T | undefined, pick: (a: T, b: T) => T): T | undefined =>
    a === undefined || b === undefined ? (a ?? b) : pick(a, b);
  return {
    ...other,
    ...one,
    ...defined({
      required: both(one.required, other.required, (a, b) => [...new Set([...a, ...b])]),
      enum: both(one.enum, other.enum, (a, b) => a.filter((value) => b.includes(value))),
      minimum: both(one.minimum, other.minimum, Math.max),
      maximum: both(one.maximum, other.maximum, Math.min),
      minLength: both(one.minLength, other.minLength, Math.max),
      maxLength: both(one.maxLength, other.maxLength, Math.min),
      minItems: both(one.minItems, other.minItems, Math.max),
      maxItems: both(one.maxItems, other.maxItems, Math.min),
      minProperties: both(one.minProperties, other.minProperties, Math.max),
      maxProperties: both(one.maxProperties, other.maxProperties, Math.min),
      items: both(one.items, other.items, join),
      properties: Object.keys(properties).length === 0 ? undefined : properties,
    }),
  };
}

function defined<T extends object>(object: T): { readonly [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}
