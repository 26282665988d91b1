import type { KindRef } from '@kubewright/api';
import { builtInKind, builtInKinds } from '@kubewright/api/built-in';
import { kindOf, pluralOf } from '@kubewright/api/metadata';
import type { KindInfo } from '@kubewright/api/metadata';

/** The API resource of a kind, for RBAC rules. */
export interface Resource {
  readonly group: string;
  readonly plural: string;
  /** Whether the kind is namespaced. True if this is not known. */
  readonly namespaced: boolean;
  /** Whether the plural name was derived from the name of the kind, because the kind was declared without a plural. */
  readonly guessed: boolean;
  /** Whether the kind is built into Kubernetes. */
  readonly builtIn: boolean;
  /** Whether the kind has a status subresource. False if this is not known. */
  readonly hasStatus: boolean;
}

/**
 * Returns the resource of a kind. Uses the declared plural name, otherwise the plural name of the built-in kind, otherwise the English
 * plural of the kind name.
 */
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

/** Whether a resource is namespaced. Returns true if this is not known. */
export function isNamespaced(group: string, resource: string): boolean {
  const [plural] = resource.split('/');
  return builtInKinds().find((kind) => kind.group === group && kind.plural === plural)?.namespaced !== false;
}

function known(declared: KindInfo): KindInfo {
  return builtInKind(declared.apiVersion, declared.kind) ?? declared;
}
