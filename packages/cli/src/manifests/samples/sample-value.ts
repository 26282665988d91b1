import type { StructuralSchema } from '@kubewright/api/schema';
import type { Decisions } from './decisions.js';
import { joinedSchema } from './joined-schema.js';
import type { RuleLiterals } from './rule-literals.js';
import { scalarOptions } from './scalar-options.js';

/** The position of a value in a sample, and the state of the sample. */
export interface SamplePlace {
  /** The path of the value, such as `spec.ports[0]`. */
  readonly field: string;
  /** The index of the list item or map entry that contains the value, starting from 0. Makes the values of a list different. */
  readonly ordinal: number;
  readonly literals: RuleLiterals;
  readonly decisions: Decisions;
}

/** Generates a value for a schema. Objects contain the required fields without a default. Records each selection in `decisions`. */
export function sampleValue(schema: StructuralSchema, place: SamplePlace): unknown {
  const { field, decisions } = place;
  const joined = joinedSchema(schema, field, decisions);
  if (joined['x-kubernetes-int-or-string'] !== true && joined.enum === undefined) {
    if (joined.type === 'array') return listValue(joined, place);
    if (joined.type === 'object' || joined.type === undefined) return objectValue(joined, place);
  }
  return decisions.take(field, 'value', scalarOptions(joined, place)) ?? null;
}

function listValue(schema: StructuralSchema, place: SamplePlace): readonly unknown[] {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const length = countOf(place, minItems, items === undefined ? 0 : maxItems);
  return Array.from({ length }, (_, index) =>
    sampleValue(items ?? {}, { ...place, field: `${place.field}[${index}]`, ordinal: place.ordinal + index }),
  );
}

function objectValue(schema: StructuralSchema, place: SamplePlace): Readonly<Record<string, unknown>> {
  const { properties = {}, additionalProperties, minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
  const resource = schema['x-kubernetes-embedded-resource'] === true ? EMBEDDED : {};
  const desired = new Set(desiredProperties(schema, place));
  const value: Record<string, unknown> = { ...resource };
  for (const [name, property] of Object.entries(properties)) {
    if (!desired.has(name) || (Object.hasOwn(resource, name) && property.properties === undefined)) continue;
    value[name] = sampleValue(property, { ...place, field: childField(place.field, name) });
  }
  if (typeof additionalProperties !== 'object') return value;
  const length = countOf(place, minProperties, maxProperties);
  for (let index = 0; index < length; index++) {
    const name = index === 0 ? 'example' : `example-${index + 1}`;
    value[name] = sampleValue(additionalProperties, { ...place, field: `${place.field}.${name}`, ordinal: index });
  }
  return value;
}

/** The fields of an embedded resource that API servers require. */
const EMBEDDED = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'example' } };

/**
 * Returns the properties to include: required properties, and properties that `decisions` adds. Adds other properties until `minProperties`
 * is reached.
 */
function desiredProperties(schema: StructuralSchema, { field, decisions }: SamplePlace): readonly string[] {
  const { properties = {}, required = [], minProperties = 0 } = schema;
  const isThere = (name: string): boolean => {
    const hasDefault = (properties[name]?.default ?? null) !== null;
    const options = required.includes(name) && !hasDefault ? [true] : [false, true];
    return decisions.take(childField(field, name), 'there', options) === true;
  };
  const names = Object.keys(properties);
  const desired = names.filter(isThere);
  const others = names.filter((name) => !desired.includes(name));
  const given = desired.length + others.filter((name) => (properties[name]?.default ?? null) !== null).length;
  return [
    ...desired,
    ...others
      .filter((name) => (properties[name]?.default ?? null) === null)
      .slice(0, Math.max(0, minProperties - given)),
  ];
}

/** Returns the number of list items or map entries. Prefers one item, which shows the structure to the user, over fewer or more items. */
function countOf({ field, decisions }: SamplePlace, least: number, most: number): number {
  const options = [Math.max(1, least), least, least + 1, least + 2].filter((count) => count >= least && count <= most);
  return decisions.take(field, 'count', [...new Set(options)]) ?? least;
}

/** Returns the path of a field. `field` is the path of the object, or '' for the root. */
function childField(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}
