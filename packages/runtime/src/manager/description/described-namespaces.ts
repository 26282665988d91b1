import type { KindRef } from '@kubewright/api';
import { kindOf } from '@kubewright/api/metadata';
import { OTHER_NAMESPACES } from '../../cache/selection/cache-options.js';
import { type ResolvedCacheOptions, resolveCacheOptions } from '../../cache/selection/resolve-cache-options.js';
import { selectInformer } from '../../cache/selection/select-informer.js';
import type { ClusterOptions } from '../cluster/cluster-options.js';
import type { DescribedKind } from '../../rbac/operator-description.js';

/** Determines which namespaces the cache of a manager would watch, for the manager as a whole and for each kind. */
export class DescribedNamespaces {
  readonly #options: ResolvedCacheOptions;

  constructor({ cache, namespaces }: Pick<ClusterOptions, 'cache' | 'namespaces'>) {
    this.#options = resolveCacheOptions(cache, namespaces);
  }

  /** The namespaces that the manager watches. Undefined if it watches all namespaces. */
  get all(): readonly string[] | undefined {
    const names = [...(this.#options.namespaces?.keys() ?? [])];
    return names.length === 0 || names.includes(OTHER_NAMESPACES) ? undefined : names.toSorted();
  }

  /** Returns the description of a kind in the given namespaces. If none are given, uses the namespaces of the cache. */
  of(kind: KindRef, namespaces: readonly string[] | undefined): DescribedKind {
    const { apiVersion, kind: name, namespaced = true } = kindOf(kind);
    const { scopes } = selectInformer(this.#options, { apiVersion, kind: name, namespaced }, { namespaces });
    const named = scopes.flatMap((scope) => scope.namespace ?? []);
    return named.length < scopes.length ? { kind } : { kind, namespaces: named.toSorted() };
  }
}
