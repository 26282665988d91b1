import type { StructuralSchema } from '@kubewright/api/schema';

/** A schema without some of its keywords. */
export function without<K extends keyof StructuralSchema>(
  schema: StructuralSchema,
  ...keys: readonly K[]
): Omit<StructuralSchema, K> {
  const left = Object.entries(schema).filter(([key]) => !(keys as readonly string[]).includes(key));
  return Object.fromEntries(left) as Omit<StructuralSchema, K>;
}
