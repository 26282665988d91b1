import type { Init } from '../objects/default.js';
import type { KubeObject, MetaInit } from '../objects/kube-object.js';
import type { DeepReadonly } from '../objects/readonly.js';

/** The class-like value of a kind. */
export interface KindClass<T extends KubeObject, NewInit> {
  new (init: NewInit): T;
}

/** The part of a custom resource that the controller writes. */
export interface WithStatus<Status> {
  readonly status?: DeepReadonly<Status>;
}
/** The same where the status has a default, and is therefore always there. */
export interface StatusThere<Status> {
  readonly status: DeepReadonly<Status>;
}
/** What `new` takes. */
export interface ResourceInit<Spec> {
  readonly metadata: MetaInit;
  readonly spec: Init<Spec>;
}
/** What `new` takes for a kind with a status. */
export interface ResourceInitWithStatus<Spec, Status> extends ResourceInit<Spec> {
  readonly status?: Init<Status>;
}
/** What `new` takes for a kind whose objects may be made without a spec. */
export interface SpecOptionalInit<Spec> {
  readonly metadata: MetaInit;
  readonly spec?: Init<Spec>;
}
/** What `new` takes for a kind with a status, whose objects may be made without a spec. */
export interface SpecOptionalInitWithStatus<Spec, Status> extends SpecOptionalInit<Spec> {
  readonly status?: Init<Status>;
}
/** What `new` takes for a kind without a spec. */
export type SpeclessInit<Status> = { readonly metadata: MetaInit } & ([Status] extends [never]
  ? unknown
  : { readonly status?: Init<Status> });
