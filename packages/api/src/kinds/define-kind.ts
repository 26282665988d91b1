import { plainCopy } from '../objects/plain-copy.js';
import type { KindOptions } from '../metadata/kind-options.js';
import type { MetaInit } from '../objects/kube-object.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import type { CustomResource } from './custom-resource.js';
import type { KindClass, WithStatus } from './kind-class.js';
import { kindNames } from './kind-names.js';
import { objectSchema } from './object-schema.js';
import { plainKind } from './plain-kind.js';

/** What `@Kind` and its companions would record, as one object, for projects without decorators. */
export interface KindDefinition extends KindOptions {
  readonly kind: string;
  /** OpenAPI v3 structural schemas, as they stand in a CRD. */
  readonly spec: object;
  readonly status?: object;
}

/**
 * The plain form of a decorated kind. The types are believed.
 * @throws KubewrightError INVALID_KIND when the names could not be those of a kind
 */
export function defineKind<Spec, Status = never>(
  definition: KindDefinition,
): KindClass<
  CustomResource<Spec> & WithStatus<Status>,
  { readonly metadata: MetaInit; readonly spec: Spec; readonly status?: Status }
> {
  const { spec, status, ...options } = definition;
  const info = kindNames(options, definition.kind, status !== undefined);
  const schema = objectSchema(
    plainCopy(spec, `${info.kind}.spec`) as StructuralSchema,
    status === undefined ? undefined : (plainCopy(status, `${info.kind}.status`) as StructuralSchema),
  );
  return plainKind({ info, options, schema: () => schema });
}
