import type { StructuralSchema } from '@kubewright/api/schema';

/** Returns a schema without the given keywords. */
export function without<K extends keyof StructuralSchema>(
  schema: StructuralSchema,
  ...keys: readonly K[]
): Omit<StructuralSchema, K> {
  const remaining = Object.entries(schema).filter(([key]) => !(keys as readonly string[]).includes(key));
  return Object.fromEntries(remaining) as Omit<StructuralSchema, K>;
}
