import type { StructuralSchema } from '../schema/structural-schema.js';

/** One step into a schema: to a property, to the items of a list, or to the values of a map. */
export type SchemaStep = { readonly property: string } | 'items' | 'values';

/**
 * The parsed path of an error in a CustomResourceDefinition: the version, the steps into the schema of the version, and the remaining path.
 */
export interface SchemaPath {
  /** The index of the version. 0 if all versions have the same schema. */
  readonly version: number;
  readonly steps: readonly SchemaStep[];
  /** The remaining path, such as `default.size` or `x-kubernetes-validations[0].rule`. */
  readonly rest: string;
}

const root = /^spec\.(?:validation|versions\[(\d+)\]\.schema)\.openAPIV3Schema\.?/;
const step = /^(?:properties\[((?:[^\]]|\](?!\.|$))*)\]|(items)|(additionalProperties))(?:\.|$)/;

/** Parses the field of an error. Returns undefined if the field is not in a schema. */
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

/** Returns the schema at the given steps, or undefined if the steps do not lead to a schema. */
export function schemaAt(schema: StructuralSchema, steps: readonly SchemaStep[]): StructuralSchema | undefined {
  return steps.reduce<StructuralSchema | undefined>((at, next) => {
    if (next === 'items') return at?.items;
    if (next !== 'values') return at?.properties?.[next.property];
    return typeof at?.additionalProperties === 'object' ? at.additionalProperties : undefined;
  }, schema);
}

/** Returns the path in its usual notation: `spec.disks[].size`. Returns '' for the whole object. */
export function pathText(steps: readonly SchemaStep[]): string {
  const text = steps.map((each) => (each === 'items' ? '[]' : each === 'values' ? '.*' : `.${each.property}`)).join('');
  return text.startsWith('.') ? text.slice(1) : text;
}
