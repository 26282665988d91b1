import type { StructuralSchema } from '../schema/structural-schema.js';

/** One step into a schema: to a property, to the items of a list, or to the values of a map. */
export type SchemaStep = { readonly property: string } | 'items' | 'values';

/** Where an error of a CustomResourceDefinition stands: in the schema of which version, how deep, and what of it is wrong. */
export interface SchemaPath {
  /** The index of the version; 0 where all have the same schema. */
  readonly version: number;
  readonly steps: readonly SchemaStep[];
  /** What follows, such as `default.size` or `x-kubernetes-validations[0].rule`. */
  readonly rest: string;
}

const root = /^spec\.(?:validation|versions\[(\d+)\]\.schema)\.openAPIV3Schema\.?/;
const step = /^(?:properties\[((?:[^\]]|\](?!\.|$))*)\]|(items)|(additionalProperties))(?:\.|$)/;

/** Reads the field of an error; undefined where it is not one of a schema. */
export function schemaPath(field: string): SchemaPath | undefined {
  const found = root.exec(field);
  if (found === null) return undefined;
  const steps: SchemaStep[] = [];
  let rest = field.slice(found[0].length);
  for (let next = step.exec(rest); next !== null; next = step.exec(rest)) {
    const [whole, property, items] = next;
    steps.push(property !== undefined ? { property } : items !== undefined ? 'items' : 'values');
    rest = rest.slice(whole.length);
  }
  return { version: Number(found[1] ?? 0), steps, rest };
}

/** The schema that the steps lead to; undefined where they lead nowhere. */
export function schemaAt(schema: StructuralSchema, steps: readonly SchemaStep[]): StructuralSchema | undefined {
  return steps.reduce<StructuralSchema | undefined>((at, next) => {
    if (next === 'items') return at?.items;
    if (next !== 'values') return at?.properties?.[next.property];
    return typeof at?.additionalProperties === 'object' ? at.additionalProperties : undefined;
  }, schema);
}

/** The path as people write it: `spec.disks[].size`; '' for the whole object. */
export function pathText(steps: readonly SchemaStep[]): string {
  const text = steps.map((each) => (each === 'items' ? '[]' : each === 'values' ? '.*' : `.${each.property}`)).join('');
  return text.startsWith('.') ? text.slice(1) : text;
}
