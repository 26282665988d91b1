import { canonicalQuantity, isQuantity } from '@kubewright/api/quantity';
import type { StructuralSchema } from '@kubewright/api/schema';
import { isObject, type JsonDraft } from './json-object.js';

/** Writes every amount of a built-in object in its one canonical form, as the server's own types do: `4096Mi` becomes `4Gi`. */
export function writeCanonicalQuantities(draft: JsonDraft, schema: StructuralSchema): void {
  for (const [name, value] of Object.entries(draft)) {
    const of = schema.properties?.[name] ?? additionalSchema(schema);
    if (of !== undefined) draft[name] = canonical(value, of);
  }
}

function canonical(value: unknown, schema: StructuralSchema): unknown {
  if (isQuantitySchema(schema)) {
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && isQuantity(text) ? canonicalQuantity(text) : value;
  }
  const { items } = schema;
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => canonical(item, items));
  if (isObject(value)) writeCanonicalQuantities(value, schema);
  return value;
}

/** An amount is an integer or a text with a pattern; other fields that are either have none. */
function isQuantitySchema(schema: StructuralSchema): boolean {
  return schema['x-kubernetes-int-or-string'] === true && schema.pattern !== undefined;
}
function additionalSchema({ additionalProperties }: StructuralSchema): StructuralSchema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
