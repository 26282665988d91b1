import type { KubeObject } from '@kubewright/api';
import type { ConfigMap } from '@kubewright/api/core/v1';
import { type Declarations, NAMED, WATCHED_NAMESPACE } from './declarations.js';
import { CONFIG_NAMES, type Parent } from './parents.js';

/** The reads that the result of a parent depends on: from the cache in a reconcile, live at the end of a history. */
export interface View {
  configMap(namespace: string, name: string): Promise<ConfigMap | undefined>;
  configMaps(namespace: string, selector: Declarations['labels']): Promise<readonly ConfigMap[]>;
  metadata(namespace: string, selector: Declarations['labels']): Promise<readonly KubeObject[]>;
  namespacesOfTeam(): Promise<readonly KubeObject[]>;
}

/**
 * Returns the result of a reconcile as text. The text depends only on objects that the controller watches, so after the last event it must
 * equal the text of a live view.
 */
export async function resultOf(parent: Parent, of: Declarations, view: View): Promise<string> {
  const namespace = parent.metadata.namespace ?? '';
  const parts = [parent.spec.value];
  if (of.references) {
    for (const name of parent.spec.refs ?? []) parts.push(`ref ${textOf(name, await view.configMap(namespace, name))}`);
  }
  if (of.labels !== 'none') parts.push(`labels ${textsOf(await view.configMaps(namespace, of.labels))}`);
  if (of.fields) parts.push(`named ${textOf(NAMED, await view.configMap(namespace, NAMED))}`);
  if (of.namespaces && namespace === WATCHED_NAMESPACE) {
    parts.push(`namespace ${textsOf(await view.configMaps(namespace, 'none'))}`);
  }
  if (of.metadataOnly !== 'none' && (of.metadataOnly !== 'namespace' || namespace === WATCHED_NAMESPACE)) {
    const isLabels = of.metadataOnly !== 'all' && of.metadataOnly !== 'namespace';
    parts.push(`metadata ${tiersOf(await view.metadata(namespace, isLabels ? of.metadataOnly : 'none'))}`);
  }
  if (of.namespaceLabels) parts.push(`team ${namesOf(await view.namespacesOfTeam())}`);
  return parts.join('; ');
}

/** Whether a ConfigMap matches a random selector. */
export function matchesSelector(object: KubeObject, selector: Declarations['labels']): boolean {
  const tier = object.metadata.labels?.tier ?? '';
  if (selector === 'none') return true;
  return selector === 'tier=web' ? tier === 'web' : ['web', 'db'].includes(tier);
}
/** Whether a Namespace matches the selector of `Declarations.namespaceLabels`. */
export function isOfTeam(object: KubeObject): boolean {
  return object.metadata.labels?.team === 'a';
}

function textsOf(configMaps: readonly ConfigMap[]): string {
  // Excludes children, which are also ConfigMaps: they contain this text, so each reconcile would change the text.
  const written = configMaps.filter(({ metadata }) => (CONFIG_NAMES as readonly string[]).includes(metadata.name));
  return written
    .map((each) => textOf(each.metadata.name, each))
    .toSorted()
    .join(',');
}
function textOf(name: string, configMap: ConfigMap | undefined): string {
  return `${name}=${configMap?.data?.value ?? 'absent'}`;
}
function tiersOf(objects: readonly KubeObject[]): string {
  const written = objects.filter(({ metadata }) => (CONFIG_NAMES as readonly string[]).includes(metadata.name));
  return written
    .map(({ metadata }) => `${metadata.name}=${metadata.labels?.tier ?? 'none'}`)
    .toSorted()
    .join(',');
}
function namesOf(objects: readonly KubeObject[]): string {
  return objects
    .map(({ metadata }) => metadata.name)
    .toSorted()
    .join(',');
}
