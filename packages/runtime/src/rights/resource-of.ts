import type { KindRef } from '@kubewright/api';
import { builtInKinds } from '@kubewright/api/built-in';
import { kindOf, pluralOf } from '@kubewright/api/metadata';
import type { KindInfo } from '@kubewright/api/metadata';

/** The resource of a kind, in the words of RBAC. */
export interface Resource {
  readonly group: string;
  readonly plural: string;
  /** A kind of which it is not known counts as one that has namespaces. */
  readonly namespaced: boolean;
  /** Whether the plural is that of the English word, because the kind was declared by its name alone. */
  readonly guessed: boolean;
  /** Whether it is part of Kubernetes itself. */
  readonly builtIn: boolean;
  /** Whether its status is a subresource; as far as it is known. */
  readonly hasStatus: boolean;
}

/** The resource of a kind: as the kind says, as Kubernetes has it, or as the English word would be. */
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

/** Whether a resource is in namespaces; so is one of which it is not known. */
export function isNamespaced(group: string, resource: string): boolean {
  const [plural] = resource.split('/');
  return builtInKinds().find((kind) => kind.group === group && kind.plural === plural)?.namespaced !== false;
}

function known(declared: KindInfo): KindInfo {
  const { apiVersion, kind } = declared;
  return builtInKinds().find((one) => one.apiVersion === apiVersion && one.kind === kind) ?? declared;
}
