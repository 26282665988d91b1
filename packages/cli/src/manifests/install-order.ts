/** A YAML document with one object: the original text, and the parsed object. */
export interface ManifestDocument {
  readonly text: string;
  readonly object: object;
}

/**
 * The kinds that kustomize sorts before all other kinds, because other objects may depend on them. Kinds that are neither in `FIRST` nor in
 * `LAST` are sorted between these lists.
 */
const FIRST = [
  'Namespace',
  'ResourceQuota',
  'StorageClass',
  'CustomResourceDefinition',
  'ServiceAccount',
  'PodSecurityPolicy',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'Endpoints',
  'Service',
  'LimitRange',
  'PriorityClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
];
const LAST = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

/** Sorts documents like kustomize, so that each object follows the objects on which it depends. */
export function inInstallOrder(documents: readonly ManifestDocument[]): readonly ManifestDocument[] {
  return documents.toSorted((a, b) => {
    const [one, other] = [sortKey(a), sortKey(b)];
    return one.rank - other.rank || (one.name < other.name ? -1 : Number(one.name > other.name));
  });
}

/** Returns the apiVersion, kind, namespace, and name of a document. kustomize requires this combination to be unique. */
export function nameOfDocument({ object }: ManifestDocument): string {
  const { apiVersion, kind, metadata } = object as {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: { readonly name?: string; readonly namespace?: string };
  };
  return [apiVersion, kind, metadata?.namespace, metadata?.name].filter((part) => part !== undefined).join(' ');
}

function sortKey(document: ManifestDocument): { readonly rank: number; readonly name: string } {
  const { kind = '' } = document.object as { readonly kind?: string };
  const rank = FIRST.includes(kind) ? FIRST.indexOf(kind) - FIRST.length : LAST.indexOf(kind) + 1;
  return { rank, name: nameOfDocument(document) };
}
