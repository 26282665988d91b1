import type { ApiObjectMeta, OwnerReference } from '../registry/json-object.js';
import { referenceText } from './object-reference.js';

interface GraphNode {
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
}

/** Who depends on whom: every object of the cluster by its uid, and its dependents by the uid of their owner. */
export class DependencyGraph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #dependents = new Map<string, Set<string>>();
  readonly #namespaces = new Map<string, string | undefined>();

  /** Takes an object in; the owners that it had before if it has others now, undefined when nothing changed. */
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

  /** Takes an object out. */
  delete(bucket: string, metadata: ApiObjectMeta): void {
    const reference = referenceText(bucket, metadata);
    this.#unlink(reference);
    this.#nodes.delete(reference);
    this.#namespaces.delete(metadata.uid);
  }

  /** The references of the objects that name the uid as an owner. */
  dependentsOf(uid: string): readonly string[] {
    return [...(this.#dependents.get(uid) ?? [])];
  }

  /** Whether an object of that uid lives in another namespace than the one given. */
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
