import type { KindRef, KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import { describeScopes } from '../../cache/selection/describe-scopes.js';
import type { InformerScope } from '../../cache/selection/informer-selection.js';
import { coversScope, isInScope } from '../../cache/selection/scope-cover.js';
import type { ReadKind } from './open-informers.js';

/**
 * Returns the error for a list that the cache cannot return completely: NAMESPACE_NOT_CACHED or SELECTION_INCOMPLETE. `missing` is a scope
 * of the list that the cache has not listed. The remedy depends on what restricts the cache: the options of the cache, the declarations, or
 * both.
 */
export function incompleteList<T extends KubeObject>(
  kind: KindRef<T>,
  read: ReadKind<T>,
  missing: InformerScope,
): KubewrightError {
  const { kind: name } = kindOf(kind);
  const { namespace } = missing;
  const watched = read.stores[0].watchedIn(namespace);
  const isDeclared = read.declared.some((scope) => isInScope(scope, namespace));
  if (namespace !== undefined && watched.length === 0 && !isDeclared) {
    return new KubewrightError(
      'NAMESPACE_NOT_CACHED',
      `cannot list ${name} in namespace '${namespace}' from the cache: the cache does not watch this namespace; add it to 'cache.namespaces' or to 'namespaces' of the controller, call cache.addNamespace(), or use client.live`,
    );
  }
  return new KubewrightError(
    'SELECTION_INCOMPLETE',
    `cannot list ${name} from the cache: the cache contains only ${describeScopes(watched)}, so the list would be incomplete; ${remedyOf(name, read, missing)} to cache all objects, pass labels that select only cached objects, or use client.live`,
  );
}

function remedyOf<T extends KubeObject>(
  name: string,
  { stores: [store], selected }: ReadKind<T>,
  missing: InformerScope,
): string {
  const { namespace } = missing;
  // The scopes that the cache would list if the kind were declared without a selector.
  const allowed = store.scopesOf(namespace === undefined ? {} : { namespaces: [namespace] });
  const inCache = `set 'labels' and 'fields' of ${name} to '' under 'cache.kinds'`;
  const inController = `list ${name} under 'reads' of the controller`;
  const isRestrictedByCache = allowed.some((scope) => !coversScope(scope, within(scope, missing)));
  const isRestrictedByDeclarations = allowed.some((scope) => !selected.some((other) => coversScope(other, scope)));
  if (!isRestrictedByCache) return inController;
  return isRestrictedByDeclarations ? `${inCache} and ${inController}` : inCache;
}

/** Returns a scope with the selectors of `missing`, and with the namespaces and the transform of the given scope. */
function within({ namespace, except, transform }: InformerScope, missing: InformerScope): InformerScope {
  return { ...missing, namespace, except, transform };
}
