import type { KindRef } from '@kubewright/api';
import { builtInKinds } from '@kubewright/api/built-in';
import { kindOf, pluralOf } from '@kubewright/api/metadata';
import type { KindInfo } from '@kubewright/api/metadata';

/** The resource of a kind, in terms of RBAC. */
export interface Resource {
  readonly group: string;
  readonly plural: string;
  /** Whether the kind is namespaced. True if this is unknown. */
  readonly namespaced: boolean;
  /** Whether the plural was derived from the name of the kind, because the kind was declared without a plural. */
  readonly guessed: boolean;
  /** Whether the kind is built into Kubernetes. */
  readonly builtIn: boolean;
  /** Whether the kind is known to have a status subresource. */
  readonly hasStatus: boolean;
}

/** Returns the resource of a kind: as declared, as built into Kubernetes, or with the English plural of the kind's name. */
export function resourceOf(kind: KindRef): Resource {
  const declared = kindOf(kind);
  const { group, plural, namespaced, builtIn, hasStatus } = declared.plural === undefined ? known(declared) : declared;
  return {
    group,
    plural: plural ?? pluralOf(declared.kind.toLowerCase()),
    namespaced: namespaced ?? true,
    guessed: plural === undefined,
    builtIn,
    hasStatus,
  };
}

/** Whether a resource is namespaced. True if this is unknown. */
export function isNamespaced(group: string, resource: string): boolean {
  const [plural] = resource.split('/');
  return builtInKinds().find((kind) => kind.group === group && kind.plural === plural)?.namespaced !== false;
}

function known(declared: KindInfo): KindInfo {
  const { apiVersion, kind } = declared;
  return builtInKinds().find((one) => one.apiVersion === apiVersion && one.kind === kind) ?? declared;
}
