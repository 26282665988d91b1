import type { ObjectKey } from '@kubewright/api';
import type { InformerScope } from './informer-selection.js';
import { isInScope } from './scope-cover.js';

/** The key of declared selections, which are not watched in this form. */
const DECLARED = 'declared';

/**
 * Returns the scopes that select the objects of these keys within `scopes`: one scope for each namespace. Omits keys outside the namespaces
 * of `scopes`.
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
