import type { KindRef } from '@kubewright/api';
import { kindOf } from '@kubewright/api/metadata';
import { OTHER_NAMESPACES } from '../../cache/cache-options.js';
import { type ResolvedCacheOptions, resolveCacheOptions } from '../../cache/resolve-cache-options.js';
import { selectInformer } from '../../cache/select-informer.js';
import type { ClusterOptions } from '../cluster/cluster-options.js';
import type { DescribedKind } from './operator-description.js';

/** In which namespaces a manager works: all in all, and with each kind, as its cache would watch it. */
export class DescribedNamespaces {
  readonly #options: ResolvedCacheOptions;

  constructor({ cache, namespaces }: Pick<ClusterOptions, 'cache' | 'namespaces'>) {
    this.#options = resolveCacheOptions(cache, namespaces);
  }

  /** Those of the manager; undefined for all. */
  get all(): readonly string[] | undefined {
    const names = [...(this.#options.namespaces?.keys() ?? [])];
    return names.length === 0 || names.includes(OTHER_NAMESPACES) ? undefined : names.toSorted();
  }

  /** A kind in those that were asked for, or else in those of the cache. */
  of(kind: KindRef, namespaces: readonly string[] | undefined): DescribedKind {
    const { apiVersion, kind: name, namespaced = true } = kindOf(kind);
    const { scopes } = selectInformer(this.#options, { apiVersion, kind: name, namespaced }, { namespaces });
    const named = scopes.flatMap((scope) => scope.namespace ?? []);
    return named.length < scopes.length ? { kind } : { kind, namespaces: named.toSorted() };
  }
}
