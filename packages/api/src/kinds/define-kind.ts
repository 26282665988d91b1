import { plainCopy } from '../objects/plain-copy.js';
import type { KindOptions } from '../metadata/kind-options.js';
import type { KubeObject, MetaInit } from '../objects/kube-object.js';
import type { DeepReadonly } from '../objects/readonly.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import type { CustomResource } from './custom-resource.js';
import type { KindClass, WithStatus } from './kind-class.js';
import { kindNames } from './kind-names.js';
import { objectSchema } from './object-schema.js';
import { plainKind } from './plain-kind.js';

/** The definition of a kind as one object, for projects without decorators. Equivalent to `@Kind` and its companion decorators. */
export interface KindDefinition extends KindOptions {
  readonly kind: string;
  /** The OpenAPI v3 structural schema, as in a CustomResourceDefinition. */
  readonly spec?: object;
  readonly status?: object;
  /** An object schema whose properties are the other top-level fields. */
  readonly topLevel?: object;
}

type Defined<Spec, Status, TopLevel> = ([Spec] extends [never] ? KubeObject : CustomResource<Spec>) &
  WithStatus<Status> &
  ([TopLevel] extends [never] ? unknown : DeepReadonly<TopLevel>);
type DefinedInit<Spec, Status, TopLevel> = { readonly metadata: MetaInit; readonly status?: Status } & ([Spec] extends [
  never,
]
  ? unknown
  : { readonly spec: Spec }) &
  ([TopLevel] extends [never] ? unknown : TopLevel);

/**
 * Defines a kind without decorators. The types are not checked against the schemas. `Spec` is `never` for kinds without a spec. `TopLevel`
 * is the type of the fields that `topLevel` declares.
 * @throws KubewrightError INVALID_KIND if a name is not valid for a kind
 */
export function defineKind<Spec, Status = never, TopLevel = never>(
  definition: KindDefinition,
): KindClass<Defined<Spec, Status, TopLevel>, DefinedInit<Spec, Status, TopLevel>> {
  const { spec, status, topLevel, ...options } = definition;
  const info = kindNames(options, definition.kind, status !== undefined);
  const copy = (part: object | undefined, name: string): StructuralSchema | undefined =>
    part && (plainCopy(part, `${info.kind}.${name}`) as StructuralSchema);
  const schema = objectSchema({
    spec: copy(spec, 'spec'),
    status: copy(status, 'status'),
    topLevel: copy(topLevel, 'topLevel'),
  });
  return plainKind({ info, options, schema: () => schema });
}
