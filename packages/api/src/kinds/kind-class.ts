import type { Init } from '../objects/default.js';
import type { KubeObject, MetaInit } from '../objects/kube-object.js';
import type { DeepReadonly } from '../objects/readonly.js';

/** The constructor of a kind: `new` creates an object of the kind. */
export interface KindClass<T extends KubeObject, NewInit> {
  new (init: NewInit): T;
}

/** The status of a custom resource, which the controller writes. */
export interface WithStatus<Status> {
  readonly status?: DeepReadonly<Status>;
}
/** The status of a custom resource whose status has a default, so the status is always present. */
export interface WithDefinedStatus<Status> {
  readonly status: DeepReadonly<Status>;
}
/** The argument of `new` for a kind with a spec. */
export interface ResourceInit<Spec> {
  readonly metadata: MetaInit;
  readonly spec: Init<Spec>;
}
/** The argument of `new` for a kind with a spec and a status. */
export interface ResourceInitWithStatus<Spec, Status> extends ResourceInit<Spec> {
  readonly status?: Init<Status>;
}
/** The argument of `new` for a kind whose spec is optional. */
export interface SpecOptionalInit<Spec> {
  readonly metadata: MetaInit;
  readonly spec?: Init<Spec>;
}
/** The argument of `new` for a kind with a status and an optional spec. */
export interface SpecOptionalInitWithStatus<Spec, Status> extends SpecOptionalInit<Spec> {
  readonly status?: Init<Status>;
}
/** The argument of `new` for a kind without a spec. */
export type SpeclessInit<Status> = { readonly metadata: MetaInit } & ([Status] extends [never]
  ? unknown
  : { readonly status?: Init<Status> });
