import type { KindRef } from '@kubewright/api';
import { kindOf } from '@kubewright/api/metadata';
import { OTHER_NAMESPACES } from '../../cache/selection/cache-options.js';
import { type ResolvedCacheOptions, resolveCacheOptions } from '../../cache/selection/resolve-cache-options.js';
import { selectInformer } from '../../cache/selection/select-informer.js';
import type { ClusterOptions } from '../cluster/cluster-options.js';
import type { DescribedKind } from '../../rbac/operator-description.js';

/** Determines the namespaces that the cache of a manager would watch, in total and for each kind. */
export class DescribedNamespaces {
  readonly #options: ResolvedCacheOptions;

  constructor({ cache, namespaces }: Pick<ClusterOptions, 'cache' | 'namespaces'>) {
    this.#options = resolveCacheOptions(cache, namespaces);
  }

  /** The namespaces of the manager. Undefined for all. */
  get all(): readonly string[] | undefined {
    const names = [...(this.#options.namespaces?.keys() ?? [])];
    return names.length === 0 || names.includes(OTHER_NAMESPACES) ? undefined : names.toSorted();
  }

  /** Describes a kind in the given namespaces, or else in the namespaces of the cache. */
  of(kind: KindRef, namespaces: readonly string[] | undefined): DescribedKind {
    const { apiVersion, kind: name, namespaced = true } = kindOf(kind);
    const { scopes } = selectInformer(this.#options, { apiVersion, kind: name, namespaced }, { namespaces });
    const named = scopes.flatMap((scope) => scope.namespace ?? []);
    return named.length < scopes.length ? { kind } : { kind, namespaces: named.toSorted() };
  }
}
