import type { AnyClass } from '../metadata/any-class.js';
import type { CustomResourceOptions } from '../metadata/class-metadata.js';
import { recordMetadata } from '../metadata/reflection.js';
import type { KindRef, KubeObject } from '../objects/kube-object.js';
import type { DeepReadonly } from '../objects/readonly.js';
import type {
  KindClass,
  ResourceInit,
  ResourceInitWithStatus,
  SpecOptionalInit,
  SpecOptionalInitWithStatus,
  WithStatus,
} from './kind-class.js';
import { newObject, type ObjectInit } from './new-object.js';

/** An object of a kind of your own, as it is read. */
export interface CustomResource<Spec> extends KubeObject {
  readonly spec: DeepReadonly<Spec>;
}

/** An object of a kind whose objects may be without a spec, as it is read. */
export interface SpecOptionalResource<Spec> extends KubeObject {
  readonly spec?: DeepReadonly<Spec>;
}

type Class<T> = abstract new () => T;
type SpecOptional = CustomResourceOptions & { readonly specOptional: true };
type SpecThere = Omit<CustomResourceOptions, 'specOptional'>;

/**
 * The base of a kind: `class Vm extends CustomResource(VmSpec, VmStatus) {}`. Gives it a readonly `spec` and `status` and a
 * typed `new`. A status class turns the status subresource on. An object made with `new` is a plain one with the defaults of the schema.
 */
export function CustomResource<Spec extends object>(
  spec: Class<Spec>,
  status: undefined,
  options: SpecOptional,
): KindClass<SpecOptionalResource<Spec>, SpecOptionalInit<Spec>>;
export function CustomResource<Spec extends object, Status extends object>(
  spec: Class<Spec>,
  status: Class<Status>,
  options: SpecOptional,
): KindClass<SpecOptionalResource<Spec> & WithStatus<Status>, SpecOptionalInitWithStatus<Spec, Status>>;
export function CustomResource<Spec extends object>(
  spec: Class<Spec>,
): KindClass<CustomResource<Spec>, ResourceInit<Spec>>;
export function CustomResource<Spec extends object, Status extends object>(
  spec: Class<Spec>,
  status: Class<Status>,
  options?: SpecThere,
): KindClass<CustomResource<Spec> & WithStatus<Status>, ResourceInitWithStatus<Spec, Status>>;
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
