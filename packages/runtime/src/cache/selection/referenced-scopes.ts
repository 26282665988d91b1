import type { ObjectKey } from '@kubewright/api';
import type { InformerScope } from './informer-selection.js';
import { isInScope } from './scope-cover.js';

/** The key of names that are declared, as opposed to names that are watched. */
const DECLARED = 'declared';

/**
 * Returns the scopes that select the objects with these keys within `scopes`, with one scope per namespace. Omits keys in namespaces that
 * `scopes` do not contain, and keys of a namespaced kind that have no namespace.
 */
export function referencedScopes(
  scopes: readonly InformerScope[],
  keys: readonly ObjectKey[],
  isNamespaced: boolean,
): readonly InformerScope[] {
  const byNamespace = new Map<string | undefined, Set<string>>();
  for (const { name, namespace } of keys) {
    const within = isNamespaced ? namespace : undefined;
    const names = byNamespace.get(within);
    if (names === undefined) byNamespace.set(within, new Set([name]));
    else names.add(name);
  }
  return [...byNamespace].flatMap(([namespace, names]) => {
    if (isNamespaced && namespace === undefined) return [];
    const scope = scopes.find((each) => isInScope(each, namespace));
    return scope === undefined ? [] : [{ ...scope, namespace, except: [], names: { key: DECLARED, names } }];
  });
}
