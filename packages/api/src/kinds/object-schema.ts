import type { StructuralSchema } from '../schema/structural-schema.js';

/** The schemas of the top-level fields of an object. */
export interface ObjectParts {
  readonly spec?: StructuralSchema | undefined;
  readonly status?: StructuralSchema | undefined;
  /** An object schema whose properties are the other top-level fields. */
  readonly topLevel?: StructuralSchema | undefined;
  /** Whether an object without a spec is valid. @default false */
  readonly specOptional?: boolean | undefined;
}

/**
 * Returns the schema of a complete object of a custom kind, as in its CustomResourceDefinition. A spec is required if it has no default and
 * `specOptional` is false. Keywords and rules of `topLevel` apply to the complete object.
 */
export function objectSchema({ spec, status, topLevel = {}, specOptional = false }: ObjectParts): StructuralSchema {
  const { properties = {}, required = [], description: _, ...keywords } = topLevel;
  const specRequired = spec !== undefined && spec.default === undefined && !specOptional;
  const all = [...(specRequired ? ['spec'] : []), ...required];
  return {
    ...keywords,
    type: 'object',
    ...(all.length === 0 ? {} : { required: all }),
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      ...(spec === undefined ? {} : { spec }),
      ...(status === undefined ? {} : { status }),
      ...properties,
    },
  };
}
