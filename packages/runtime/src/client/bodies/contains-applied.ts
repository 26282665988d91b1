import { isJsonObject } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import { compareQuantities, isQuantity } from '@kubewright/api/quantity';
import type { StructuralSchema } from '@kubewright/api/schema';

/** The schema of the metadata lists that the server merges by key. Schemas of custom resources do not describe metadata. */
const METADATA: StructuralSchema = {
  properties: {
    ownerReferences: { items: {}, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['uid'] },
    finalizers: { items: {}, 'x-kubernetes-list-type': 'set' },
  },
};

/** The inputs of `containsApplied`: the applied configuration, the current object, and the schema of the kind. */
export interface Comparison {
  readonly applied: unknown;
  readonly live: unknown;
  readonly schema: StructuralSchema | undefined;
  /** Whether the kind is built in. The server omits zero values of many fields of built-in kinds. */
  readonly builtIn: boolean;
}

/** Whether an object contains all fields of an applied configuration. Ignores fields that other writers added. */
export function containsApplied({ applied, live, schema, builtIn }: Comparison): boolean {
  if (!isJsonObject(applied) || !isJsonObject(live)) return false;
  const { metadata, ...rest } = applied;
  return (
    contains({ applied: metadata, live: live.metadata, schema: METADATA, builtIn }) &&
    contains({ applied: rest, live, schema, builtIn })
  );
}

function contains({ applied, live, schema, builtIn }: Comparison): boolean {
  if (live === undefined || live === null)
    return applied === undefined || isEmpty(applied) || (builtIn && isZero(applied));
  if (Array.isArray(applied)) return Array.isArray(live) && listContains(applied, live, { schema, builtIn });
  if (isJsonObject(applied)) {
    return (
      isJsonObject(live) &&
      Object.entries(applied).every(([name, field]) =>
        contains({ applied: field, live: live[name], schema: fieldOf(schema, name), builtIn }),
      )
    );
  }
  return deepEqual(applied, live) || sameQuantity(applied, live, schema);
}

type Known = Pick<Comparison, 'schema' | 'builtIn'>;

function listContains(applied: readonly unknown[], live: readonly unknown[], { schema, builtIn }: Known): boolean {
  const items = schema?.items;
  if (schema?.['x-kubernetes-list-type'] === 'set')
    return applied.every((value) => live.some((one) => deepEqual(value, one)));
  if (schema?.['x-kubernetes-list-type'] === 'map') {
    const keys = schema['x-kubernetes-list-map-keys'] ?? [];
    return applied.every((item) => {
      const same = live.find((one) =>
        keys.every((key) => deepEqual(keyValue(item, key, items), keyValue(one, key, items))),
      );
      return same !== undefined && contains({ applied: item, live: same, schema: items, builtIn });
    });
  }
  return (
    applied.length === live.length &&
    applied.every((item, at) => contains({ applied: item, live: live[at], schema: items, builtIn }))
  );
}

function keyValue(item: unknown, key: string, items: StructuralSchema | undefined): unknown {
  const value = isJsonObject(item) ? item[key] : undefined;
  return value ?? items?.properties?.[key]?.default;
}

function fieldOf(schema: StructuralSchema | undefined, name: string): StructuralSchema | undefined {
  const additional = schema?.additionalProperties;
  return schema?.properties?.[name] ?? (typeof additional === 'object' ? additional : undefined);
}

/**
 * Whether two values represent the same quantity, such as '1000m' and '1'. Returns false for a field that the schema does not define as a
 * quantity or with `x-kubernetes-int-or-string`.
 */
function sameQuantity(applied: unknown, live: unknown, schema: StructuralSchema | undefined): boolean {
  if (schema?.format !== 'quantity' && !schema?.['x-kubernetes-int-or-string']) return false;
  const [a, b] = [String(applied), String(live)];
  return isQuantity(a) && isQuantity(b) && compareQuantities(a, b) === 0;
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || (isJsonObject(value) && Object.values(value).every(isEmpty));
}

function isZero(value: unknown): boolean {
  return value === 0 || value === '' || value === false;
}
