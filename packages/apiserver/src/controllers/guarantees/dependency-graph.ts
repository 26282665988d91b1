import type { ApiObjectMeta, OwnerReference } from '../../registry/objects/api-object.js';
import { referenceText } from '../objects/object-reference.js';

interface GraphNode {
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
}

/**
 * Stores the owner references of all objects. The graph finds the owners of an object by the `referenceText` of the object, and the
 * dependents of an owner by the UID of the owner.
 */
export class DependencyGraph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #dependents = new Map<string, Set<string>>();
  readonly #namespaces = new Map<string, string | undefined>();

  /**
   * Adds or updates an object. Returns the previous owner references, which are empty for a new object. Returns undefined if the UID of the
   * object and the `uid` and `blockOwnerDeletion` of its owner references did not change.
   */
  set(bucket: string, metadata: ApiObjectMeta): readonly OwnerReference[] | undefined {
    const reference = referenceText(bucket, metadata);
    const owners = metadata.ownerReferences ?? [];
    const known = this.#nodes.get(reference);
    this.#namespaces.set(metadata.uid, metadata.namespace);
    if (known?.uid === metadata.uid && sameOwners(known.owners, owners)) return undefined;
    this.#unlink(reference);
    this.#nodes.set(reference, { uid: metadata.uid, owners });
    for (const { uid } of owners) {
      const dependents = this.#dependents.get(uid);
      if (dependents === undefined) this.#dependents.set(uid, new Set([reference]));
      else dependents.add(reference);
    }
    return known?.owners ?? [];
  }

  /** Removes an object. */
  delete(bucket: string, metadata: ApiObjectMeta): void {
    const reference = referenceText(bucket, metadata);
    this.#unlink(reference);
    this.#nodes.delete(reference);
    this.#namespaces.delete(metadata.uid);
  }

  /** Returns the `referenceText` of each object that has an owner with this UID. */
  dependentsOf(uid: string): readonly string[] {
    return [...(this.#dependents.get(uid) ?? [])];
  }

  /** Returns whether an object with this UID exists in a namespace other than the given namespace. */
  livesElsewhere(uid: string, namespace: string | undefined): boolean {
    const home = this.#namespaces.get(uid);
    return home !== undefined && home !== namespace;
  }

  #unlink(reference: string): void {
    for (const { uid } of this.#nodes.get(reference)?.owners ?? []) {
      const dependents = this.#dependents.get(uid);
      dependents?.delete(reference);
      if (dependents?.size === 0) this.#dependents.delete(uid);
    }
  }
}

function sameOwners(before: readonly OwnerReference[], after: readonly OwnerReference[]): boolean {
  return (
    before === after ||
    (before.length === after.length &&
      before.every(
        (owner, at) => owner.uid === after[at]?.uid && owner.blockOwnerDeletion === after[at]?.blockOwnerDeletion,
      ))
  );
}
