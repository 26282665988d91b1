import type { AnyClass } from '../metadata/any-class.js';
import type { CustomResourceOptions } from '../metadata/class-metadata.js';
import { recordMetadata } from '../metadata/reflection.js';
import type { KindRef, KubeObject } from '../objects/kube-object.js';
import type { Init } from '../objects/default.js';
import { plainCopy } from '../objects/plain-copy.js';
import type { DeepReadonly } from '../objects/readonly.js';
import type {
  KindClass,
  ResourceInit,
  ResourceInitWithStatus,
  SpecOptionalInit,
  SpeclessInit,
  SpecOptionalInitWithStatus,
  WithDefinedStatus,
  WithStatus,
} from './kind-class.js';
import { newObject, type ObjectInit } from './new-object.js';

/** An object of a custom kind, as returned by reads. */
export interface CustomResource<Spec> extends KubeObject {
  readonly spec: DeepReadonly<Spec>;
}

/** An object of a kind whose spec is optional, as returned by reads. */
export interface SpecOptionalResource<Spec> extends KubeObject {
  readonly spec?: DeepReadonly<Spec>;
}

type Class<T> = abstract new () => T;
type OptionName = keyof CustomResourceOptions;
/** The options named by `Declared`. */
type DeclaredOptions<Spec, Status, Declared extends OptionName> = {
  readonly [Option in Declared]?: CustomResourceOptions<Spec, Status>[Option];
};
type DeclaredResource<Spec, Status, Top, Declared> = DeclaredSpec<Spec, Declared> &
  ([Status] extends [never]
    ? unknown
    : 'statusDefault' extends Declared
      ? WithDefinedStatus<Status>
      : WithStatus<Status>) &
  ([Top] extends [never] ? unknown : DeepReadonly<Top>);
type DeclaredSpec<Spec, Declared> = [Spec] extends [never]
  ? KubeObject
  : 'specDefault' extends Declared
    ? CustomResource<Spec>
    : 'specOptional' extends Declared
      ? SpecOptionalResource<Spec>
      : CustomResource<Spec>;
type DeclaredInit<Spec, Status, Top, Declared> = ([Spec] extends [never]
  ? SpeclessInit<Status>
  : DeclaredSpecInit<Spec, Status, Declared>) &
  ([Top] extends [never] ? unknown : Init<Top>);
type DeclaredSpecInit<Spec, Status, Declared> = [Declared & ('specDefault' | 'specOptional')] extends [never]
  ? [Status] extends [never]
    ? ResourceInit<Spec>
    : ResourceInitWithStatus<Spec, Status>
  : [Status] extends [never]
    ? SpecOptionalInit<Spec>
    : SpecOptionalInitWithStatus<Spec, Status>;

/**
 * Returns the base class of a kind: `class Vm extends CustomResource(VmSpec, VmStatus) {}`. The base class adds a readonly `spec` and
 * `status` and a typed `new`. A status class enables the status subresource. `new` returns a plain object with the defaults of the schema.
 * Kinds without a spec pass `undefined`. The class in `topLevel` declares all other top-level fields.
 * @example
 * ```ts
 * class Vm extends CustomResource(VmSpec, VmStatus, { specDefault: { memory: 512 }, statusDefault: { phase: 'Pending' } }) {}
 * class Quorum extends CustomResource(undefined, QuorumStatus) {}
 * class Settings extends CustomResource(undefined, undefined, { topLevel: SettingsFields }) {}
 * ```
 */
export function CustomResource<Spec extends object>(
  spec: Class<Spec>,
): KindClass<CustomResource<Spec>, ResourceInit<Spec>>;
export function CustomResource<Spec extends object, Status extends object>(
  spec: Class<Spec>,
  status: Class<Status>,
): KindClass<CustomResource<Spec> & WithStatus<Status>, ResourceInitWithStatus<Spec, Status>>;
export function CustomResource<Status extends object>(
  spec: undefined,
  status: Class<Status>,
): KindClass<KubeObject & WithStatus<Status>, SpeclessInit<Status>>;
export function CustomResource<
  Spec extends object = never,
  Status extends object = never,
  Declared extends OptionName = never,
  Top extends object = never,
>(
  spec: Class<Spec> | undefined,
  status: Class<Status> | undefined,
  options: DeclaredOptions<NoInfer<Spec>, NoInfer<Status>, Declared> & { readonly topLevel?: Class<Top> },
): KindClass<DeclaredResource<Spec, Status, Top, Declared>, DeclaredInit<Spec, Status, Top, Declared>>;
export function CustomResource(spec?: AnyClass, status?: AnyClass, options: CustomResourceOptions = {}): unknown {
  const base = class {
    constructor(init: ObjectInit) {
      return newObject(new.target as unknown as KindRef, init);
    }
  };
  recordMetadata(base, (metadata) => ({
    ...metadata,
    ...(spec === undefined ? {} : { spec }),
    ...(status === undefined ? {} : { status }),
    resource: copied(options, spec),
  }));
  return base;
}

function copied({ topLevel, ...options }: CustomResourceOptions, spec: AnyClass | undefined): CustomResourceOptions {
  const copy = plainCopy(options, `the options of CustomResource(${spec?.name}, …)`) as CustomResourceOptions;
  return topLevel === undefined ? copy : { ...copy, topLevel };
}
