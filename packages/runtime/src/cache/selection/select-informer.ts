import type { ResourceInfo } from '../../transport/request/resource-path.js';
import { OTHER_NAMESPACES } from './cache-options.js';
import { bothSelectors } from './field-match.js';
import type { InformerScope, InformerSelection, SelectionRequest } from './informer-selection.js';
import { kindNameOf } from './kind-name.js';
import {
  namespacesOfClusterKind,
  type ResolvedCacheOptions,
  type ResolvedKindOptions,
  type ResolvedSettings,
} from './resolve-cache-options.js';

/**
 * Returns the selection of an informer for a request. Applies the options of the cache for this kind. Throws INVALID_CACHE if the options
 * set namespaces for a cluster-scoped kind.
 */
export function selectInformer(
  options: ResolvedCacheOptions,
  resource: Pick<ResourceInfo, 'apiVersion' | 'kind' | 'namespaced'>,
  request: SelectionRequest = {},
): InformerSelection {
  const kind = options.kinds.get(kindNameOf(resource));
  if (!resource.namespaced && kind?.namespaces.own) throw namespacesOfClusterKind(resource.kind);
  const resync = kind?.resync ?? options.resync;
  return {
    scopes: scopesOf(options, { kind, request, isNamespaced: resource.namespaced }),
    followsCache: resource.namespaced && request.namespaces === undefined && !kind?.namespaces.own,
    metadataOnly: request.metadataOnly === true || kind?.metadataOnly === true,
    keepManagedFields: kind?.keepManagedFields ?? options.keepManagedFields,
    shareValues: options.shareValues,
    resyncMs: resync === false ? undefined : resync,
    isConfigured: kind !== undefined,
  };
}

/** Returns one scope of an informer. */
export function scopeOf(
  options: ResolvedCacheOptions,
  using: {
    readonly kind: ResolvedKindOptions | undefined;
    readonly request: SelectionRequest;
    /** The namespace of the scope. '*' means all other namespaces, and undefined means that no namespaces are configured. */
    readonly name: string | undefined;
    readonly except?: readonly string[];
  },
): InformerScope {
  const { kind, request, name, except = [] } = using;
  const nearest: readonly (ResolvedSettings | undefined)[] = [
    settingsIn(kind?.namespaces.of, name),
    kind?.settings,
    settingsIn(options.namespaces, name),
    options.settings,
  ];
  const first = <K extends keyof ResolvedSettings>(key: K): ResolvedSettings[K] | undefined =>
    nearest.find((settings) => settings?.[key] !== undefined)?.[key];
  const excluded = except.map((other) => `metadata.namespace!=${other}`).join(',');
  return {
    namespace: name === OTHER_NAMESPACES ? undefined : name,
    except,
    labels: bothSelectors(first('labels')?.text, request.labels),
    fields: bothSelectors(bothSelectors(excluded === '' ? undefined : excluded, first('fields')?.text), request.fields),
    transform: first('transform'),
  };
}

function scopesOf(
  options: ResolvedCacheOptions,
  using: {
    readonly kind: ResolvedKindOptions | undefined;
    readonly request: SelectionRequest;
    readonly isNamespaced: boolean;
  },
): readonly InformerScope[] {
  const { kind, request, isNamespaced } = using;
  const configured = kind?.namespaces.own ? kind.namespaces.of : options.namespaces;
  const names = request.namespaces ?? (configured === undefined ? [] : [...configured.keys()]);
  if (!isNamespaced || names.length === 0) return [scopeOf(options, { kind, request, name: undefined })];
  const named = [...new Set(names)].filter((name) => name !== OTHER_NAMESPACES);
  const scopes = named.map((name) => scopeOf(options, { kind, request, name }));
  if (!names.includes(OTHER_NAMESPACES)) return scopes;
  return [...scopes, scopeOf(options, { kind, request, name: OTHER_NAMESPACES, except: named.toSorted() })];
}

function settingsIn(
  namespaces: ReadonlyMap<string, ResolvedSettings> | undefined,
  name: string | undefined,
): ResolvedSettings | undefined {
  if (namespaces === undefined || name === undefined) return undefined;
  return namespaces.get(name) ?? namespaces.get(OTHER_NAMESPACES);
}
