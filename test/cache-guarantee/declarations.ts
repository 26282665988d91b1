import { type KindRef, type KubeObject, metadataOnly } from '@kubewright/api';
import { ConfigMap, Namespace } from '@kubewright/api/core/v1';
import { type ControllerOptions, owned, references, watch, type WatchDeclaration } from '@kubewright/runtime';
import type { RandomValues } from './random-values.js';
import { NAMESPACES, type Parent, PARENT_NAMES, type ParentKind } from './parents.js';

/** The random declarations of one controller. Contains only data, so that a failure can print the declarations. */
export interface Declarations {
  readonly owns: 'none' | 'labeled' | 'adopted';
  readonly references: boolean;
  readonly reads: boolean;
  /** Label selector of a watch of ConfigMaps. */
  readonly labels: 'none' | 'tier=web' | 'tier in (web,db)';
  /** Whether the controller watches the ConfigMap `NAMED` by name, in all namespaces. */
  readonly fields: boolean;
  /** Whether the controller watches all ConfigMaps of `WATCHED_NAMESPACE`. */
  readonly namespaces: boolean;
  /** Selection of a metadata-only watch of ConfigMaps: all, a label selector, or one namespace. */
  readonly metadataOnly: 'none' | 'all' | 'tier=web' | 'tier in (web,db)' | 'namespace';
  /** Whether the controller watches Namespaces with a label selector. */
  readonly namespaceLabels: boolean;
  readonly readsNamespaces: boolean;
}

/** The ConfigMap that `Declarations.fields` selects. */
export const NAMED = 'cfg-0';
/** The namespace that `Declarations.namespaces` selects. */
export const WATCHED_NAMESPACE = 'n1';

/**
 * Draws the declarations of a controller. If `isNarrow` is true, no declaration selects every ConfigMap with its data. The metadata-only
 * declaration then needs its own store.
 */
export function drawDeclarations(random: RandomValues, isNarrow: boolean): Declarations {
  return {
    owns: random.oneOf(['none', 'labeled', 'labeled', isNarrow ? 'labeled' : 'adopted']),
    references: random.chance(isNarrow ? 0 : 0.5),
    reads: random.chance(isNarrow ? 0 : 0.35),
    labels: random.oneOf(['none', 'none', 'tier=web', 'tier in (web,db)']),
    fields: random.chance(0.2),
    namespaces: random.chance(0.2),
    metadataOnly: random.oneOf([isNarrow ? 'all' : 'none', 'none', 'all', 'tier=web', 'tier in (web,db)', 'namespace']),
    namespaceLabels: random.chance(0.4),
    readsNamespaces: random.chance(0.3),
  };
}

/**
 * Draws the maximum number of ConfigMaps that are watched individually: 1, so that the manager watches namespaces instead; 3, which is
 * close to the number of names; or 20, which is never reached.
 */
export function drawNamedWatches(random: RandomValues): number {
  return random.oneOf([1, 1, 3, 20]);
}

/** Called for each event before the event triggers a reconcile. */
export type OnEvent = (object: KubeObject) => void;

/** Whether a controller declares ConfigMaps with their data in any way, and so may read ConfigMaps. */
export function declaresConfigMaps(of: Declarations): boolean {
  return of.owns !== 'none' || of.references || of.reads || of.labels !== 'none' || of.fields || of.namespaces;
}
/** Whether a controller declares the metadata of ConfigMaps, or whole ConfigMaps, and so may read the metadata. */
export function declaresMetadata(of: Declarations): boolean {
  return of.metadataOnly !== 'none' || declaresConfigMaps(of);
}
/** Whether a controller declares Namespaces in any way. */
export function declaresNamespaces(of: Declarations): boolean {
  return of.namespaceLabels || of.readsNamespaces;
}

function metadataSelection(of: Exclude<Declarations['metadataOnly'], 'none'>): {
  readonly labels?: string;
  readonly namespaces?: readonly string[];
} {
  if (of === 'all') return {};
  return of === 'namespace' ? { namespaces: [WATCHED_NAMESPACE] } : { labels: of };
}

/** Returns the options of a controller with these declarations. `onEvent` is called for each event that a declaration delivers. */
export function controllerOptions(kind: ParentKind, of: Declarations, onEvent: OnEvent): ControllerOptions<Parent> {
  const when = (change: { readonly object: KubeObject }): boolean => {
    onEvent(change.object);
    return true;
  };
  const inNamespace = (object: KubeObject) =>
    PARENT_NAMES.map((name) => ({ namespace: object.metadata.namespace ?? '', name }));
  const everywhere = () => NAMESPACES.flatMap((namespace) => PARENT_NAMES.map((name) => ({ namespace, name })));
  const watches: WatchDeclaration<Parent>[] = [
    ...(of.references ? [references(ConfigMap, (parent: Parent) => parent.spec.refs, { when })] : []),
    ...(of.labels === 'none' ? [] : [watch(ConfigMap, { labels: of.labels, map: inNamespace, when })]),
    ...(of.fields ? [watch(ConfigMap, { fields: { 'metadata.name': NAMED }, map: inNamespace, when })] : []),
    ...(of.namespaces ? [watch(ConfigMap, { namespaces: [WATCHED_NAMESPACE], map: inNamespace, when })] : []),
    ...(of.metadataOnly === 'none'
      ? []
      : [watch(metadataOnly(ConfigMap), { ...metadataSelection(of.metadataOnly), map: inNamespace, when })]),
    ...(of.namespaceLabels ? [watch(Namespace, { labels: { team: 'a' }, map: everywhere, when })] : []),
  ];
  const reads: KindRef[] = [...(of.reads ? [ConfigMap] : []), ...(of.readsNamespaces ? [Namespace] : [])];
  return {
    for: kind,
    name: kind.name.toLowerCase(),
    when,
    owns: of.owns === 'none' ? [] : [owned(ConfigMap, { adopted: of.owns === 'adopted', when })],
    watches,
    reads,
    backoff: { initial: '5ms', max: '100ms' },
  };
}
