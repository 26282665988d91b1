/** A document of a manifest, as it is written. */
export interface ManifestDocument {
  readonly text: string;
  readonly object: object;
}

/**
 * The first kinds in the order of kustomize, because other kinds require them. Kinds that are in neither list are between `FIRST` and
 * `LAST`.
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

/** Sorts documents into the order of kustomize, in which they can be created sequentially. */
export function inInstallOrder(documents: readonly ManifestDocument[]): readonly ManifestDocument[] {
  return documents.toSorted((a, b) => {
    const [one, other] = [sortKey(a), sortKey(b)];
    return one.rank - other.rank || (one.name < other.name ? -1 : Number(one.name > other.name));
  });
}

/** Returns the identity of a document for kustomize, which must be unique. */
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
