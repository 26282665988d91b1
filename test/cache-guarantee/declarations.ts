import { type KindRef, type KubeObject, metadataOnly } from '@kubewright/api';
import { ConfigMap, Namespace } from '@kubewright/api/core/v1';
import { type ControllerOptions, owned, references, watch, type WatchDeclaration } from '@kubewright/runtime';
import type { Drawn } from './drawn.js';
import { NAMESPACES, type Parent, PARENT_NAMES, type ParentKind } from './parents.js';

/** What one controller declares, as it was drawn. Data only, so that a failure can print it. */
export interface Declarations {
  readonly owns: 'none' | 'labeled' | 'adopted';
  readonly references: boolean;
  readonly reads: boolean;
  /** Label selector of a watch of ConfigMaps. */
  readonly labels: 'none' | 'tier=web' | 'tier in (web,db)';
  /** A watch of one ConfigMap by name, in all namespaces. */
  readonly fields: boolean;
  /** A watch of all ConfigMaps of one namespace. */
  readonly namespaces: boolean;
  readonly metadataOnly: boolean;
  /** Label selector of a watch of Namespaces. */
  readonly namespaceLabels: boolean;
  readonly readsNamespaces: boolean;
}

/** The ConfigMap that `Declarations.fields` selects. */
export const NAMED = 'cfg-0';
/** The namespace that `Declarations.namespaces` selects. */
export const WATCHED_NAMESPACE = 'n1';

/** Draws what a controller declares. */
export function drawDeclarations(drawn: Drawn): Declarations {
  return {
    owns: drawn.oneOf(['none', 'labeled', 'labeled', 'adopted']),
    references: drawn.chance(0.5),
    reads: drawn.chance(0.35),
    labels: drawn.oneOf(['none', 'none', 'tier=web', 'tier in (web,db)']),
    fields: drawn.chance(0.2),
    namespaces: drawn.chance(0.2),
    metadataOnly: drawn.chance(0.15),
    namespaceLabels: drawn.chance(0.4),
    readsNamespaces: drawn.chance(0.3),
  };
}

/** Called for each event before it leads to a reconcile. */
export type OnEvent = (object: KubeObject) => void;

/** Whether a controller declares ConfigMaps with their data in any way, and so may read them. */
export function declaresConfigMaps(of: Declarations): boolean {
  return of.owns !== 'none' || of.references || of.reads || of.labels !== 'none' || of.fields || of.namespaces;
}
/** Whether a controller declares Namespaces in any way. */
export function declaresNamespaces(of: Declarations): boolean {
  return of.namespaceLabels || of.readsNamespaces;
}

/** The options of a controller with these declarations. `onEvent` is called for each event that a declaration delivers. */
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
    ...(of.metadataOnly ? [watch(metadataOnly(ConfigMap), { map: inNamespace })] : []),
    ...(of.namespaceLabels ? [watch(Namespace, { labels: { team: 'a' }, map: everywhere, when })] : []),
  ];
  const reads: KindRef[] = [...(of.reads ? [ConfigMap] : []), ...(of.readsNamespaces ? [Namespace] : [])];
  return {
    for: kind,
    name: kind.name.toLowerCase(),
    owns: of.owns === 'none' ? [] : [owned(ConfigMap, { adopted: of.owns === 'adopted', when })],
    watches,
    reads,
    backoff: { initial: '5ms', max: '100ms' },
  };
}
