import type { JsonDraft } from '../../registry/objects/api-object.js';
import { objectsAt } from '../../registry/objects/json-object.js';

/** The remaining content of a namespace that is being deleted. */
export interface Remainder {
  /** The number of remaining objects of each resource. The key is 'plural.group'. */
  readonly objects: ReadonlyMap<string, number>;
  /** The number of remaining objects with each finalizer. The key is the finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** The errors of failed deletions. */
  readonly errors: readonly string[];
}

/** Returns the conditions of a namespace that is being deleted, in the order and with the messages of Kubernetes. */
export function namespaceConditions(live: unknown, left: Remainder, now: string): readonly JsonDraft[] {
  const known = objectsAt(live, 'status', 'conditions');
  const next = conditionsOf(left).map((condition) => {
    const before = known.find(({ type }) => type === condition.type);
    const lastTransitionTime = before?.['status'] === condition.status ? before['lastTransitionTime'] : now;
    return { ...condition, lastTransitionTime };
  });
  const own = new Set<unknown>(next.map(({ type }) => type));
  return [...known.filter(({ type }) => !own.has(type)), ...next];
}

function conditionsOf({ objects, finalizers, errors }: Remainder) {
  return [
    fine('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    fine(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    errors.length === 0
      ? fine(
          'NamespaceDeletionContentFailure',
          'ContentDeleted',
          'All content successfully deleted, may be waiting on finalization',
        )
      : failed(
          'NamespaceDeletionContentFailure',
          'ContentDeletionFailed',
          `Failed to delete all resource types, ${errors.length} remaining: ${errors.toSorted().join(', ')}`,
        ),
    objects.size === 0
      ? fine('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed')
      : failed(
          'NamespaceContentRemaining',
          'SomeResourcesRemain',
          `Some resources are remaining: ${listed(objects, (name, count) => `${name} has ${count} resource instances`)}`,
        ),
    finalizers.size === 0
      ? fine('NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished')
      : failed(
          'NamespaceFinalizersRemaining',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${listed(finalizers, (name, count) => `${name} in ${count} resource instances`)}`,
        ),
  ];
}

function fine(type: string, reason: string, message: string) {
  return { type, status: 'False', reason, message };
}

function failed(type: string, reason: string, message: string) {
  return { type, status: 'True', reason, message };
}

function listed(counts: ReadonlyMap<string, number>, sentence: (name: string, count: number) => string): string {
  return [...counts]
    .map(([name, count]) => sentence(name, count))
    .toSorted()
    .join(', ');
}
