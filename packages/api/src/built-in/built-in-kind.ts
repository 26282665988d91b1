import { KubewrightError } from '../errors/kubewright-error.js';
import { plainKind } from '../kinds/plain-kind.js';
import type { KindInfo } from '../metadata/kind-info.js';
import { partSchema } from '../metadata/kind-source.js';
import type { KubeObject, MetaInit, StatusOf } from '../objects/kube-object.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import type { Definitions } from './definitions.js';

/** The class of a built-in kind. Creates objects of the kind with `new`: `new Deployment({ metadata, spec })`. */
export interface BuiltInKind<T extends KubeObject> {
  new (
    init: Omit<T, 'apiVersion' | 'kind' | 'metadata' | 'status'> & {
      readonly metadata: MetaInit;
      readonly status?: StatusOf<T> | undefined;
    },
  ): T;
}
/**
 * A built-in type that is not a kind, for `Field.object(JobTemplateSpec)`. Objects of the type are plain objects, so `new` throws
 * NOT_A_KIND.
 */
export type BuiltInPart<T> = abstract new () => T;

/** Returns the constructor of a built-in kind. The schema is parsed on first use. */
export function builtInKind<T extends KubeObject>(definitions: Definitions, kind: string): BuiltInKind<T> {
  return plainKind({ info: definitions.kindInfo(kind) as KindInfo, schema: () => definitions.schema(kind) });
}

/** Returns the constructor that represents a built-in type. The schema is parsed on first use. */
export function builtInPart<T>(definitions: Definitions, name: string): BuiltInPart<T> {
  const value = class {
    static readonly [partSchema] = (): StructuralSchema => definitions.schema(name) ?? {};
    constructor() {
      throw new KubewrightError('NOT_A_KIND', `cannot create ${name} with new: it is not a kind; write a plain object`);
    }
  };
  Object.defineProperty(value, 'name', { value: name, configurable: true });
  return value as unknown as BuiltInPart<T>;
}
