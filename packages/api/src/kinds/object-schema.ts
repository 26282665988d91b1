import type { StructuralSchema } from '../schema/structural-schema.js';

/** The schema of a whole object of a kind of one's own, as it stands in a CRD. A spec with a default is not required. */
export function objectSchema(
  spec: StructuralSchema,
  status: StructuralSchema | undefined,
  { specOptional = false }: { readonly specOptional?: boolean } = {},
): StructuralSchema {
  return {
    type: 'object',
    ...(specOptional || spec.default !== undefined ? {} : { required: ['spec'] }),
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec,
      ...(status === undefined ? {} : { status }),
    },
  };
}
