import type { AnyClass } from '../metadata/any-class.js';
import type { CustomResourceOptions } from '../metadata/class-metadata.js';
import { recordMetadata } from '../metadata/reflection.js';
import type { Init } from '../objects/default.js';
import type { KindRef, KubeObject, MetaInit } from '../objects/kube-object.js';
import type { DeepReadonly } from '../objects/readonly.js';
import type { KindClass, ResourceInit, ResourceInitWithStatus, WithStatus } from './kind-class.js';
import { newObject, type ObjectInit } from './new-object.js';

/** An object of a kind of your own, as it is read. */
export interface CustomResource<Spec> extends KubeObject {
  readonly spec: DeepReadonly<Spec>;
}

/** The readonly spec of a kind; it may be missing where the options say so. */
export type SpecPart<Spec, O extends CustomResourceOptions> = O extends { readonly specOptional: true }
  ? { readonly spec?: DeepReadonly<Spec> }
  : { readonly spec: DeepReadonly<Spec> };
/** What `new` takes for a kind with options. */
export type SpecInit<Spec, O extends CustomResourceOptions> = { readonly metadata: MetaInit } & (O extends {
  readonly specOptional: true;
}
  ? { readonly spec?: Init<Spec> }
  : { readonly spec: Init<Spec> });

type Class<T> = abstract new () => T;

/**
 * The base of a kind: `class Vm extends CustomResource(VmSpec, VmStatus) {}`. Gives it a readonly `spec` and `status` and a
 * typed `new`. A status class turns the status subresource on. An object made with `new` is a plain one with the defaults of the schema.
 */
export function CustomResource<Spec extends object>(
  spec: Class<Spec>,
): KindClass<CustomResource<Spec>, ResourceInit<Spec>>;
export function CustomResource<Spec extends object, Status extends object>(
  spec: Class<Spec>,
  status: Class<Status>,
): KindClass<CustomResource<Spec> & WithStatus<Status>, ResourceInitWithStatus<Spec, Status>>;
export function CustomResource<Spec extends object, const O extends CustomResourceOptions>(
  spec: Class<Spec>,
  status: undefined,
  options: O,
): KindClass<KubeObject & SpecPart<Spec, O>, SpecInit<Spec, O>>;
export function CustomResource<Spec extends object, Status extends object, const O extends CustomResourceOptions>(
  spec: Class<Spec>,
  status: Class<Status>,
  options: O,
): KindClass<
  KubeObject & SpecPart<Spec, O> & WithStatus<Status>,
  SpecInit<Spec, O> & { readonly status?: Init<Status> }
>;
export function CustomResource(spec: AnyClass, status?: AnyClass, options?: CustomResourceOptions): unknown {
  const base = class {
    constructor(init: ObjectInit) {
      return newObject(new.target as unknown as KindRef, init);
    }
  };
  recordMetadata(base, (metadata) => ({
    ...metadata,
    spec,
    ...(status === undefined ? {} : { status }),
    ...(options === undefined ? {} : { resource: options }),
  }));
  return base;
}
