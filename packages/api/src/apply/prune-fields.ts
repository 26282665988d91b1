import { FieldSet } from './field-set.js';
import type { ManagedEntry, Managers } from './managed-fields.js';
import { ownedFields, withNamedFields } from './owned-fields.js';
import { removeFields } from './remove-fields.js';
import type { VersionedAtoms } from './versioned-atoms.js';

export interface PruneOptions {
  readonly atoms: VersionedAtoms;
  /** The entry of the previous apply of this manager. */
  readonly last: ManagedEntry;
  /** All managers. The entry of this manager contains the fields of the new apply. */
  readonly managers: Managers;
}

/**
 * Removes the fields that the manager applied previously and that no longer have an owner: the new apply does not contain them, and no
 * other manager owns them. Does not remove fields that never had a manager, except within a removed list item or map.
 */
export function pruneFields(merged: unknown, { atoms, last, managers }: PruneOptions): unknown {
  const atom = atoms.of(last.apiVersion);
  if (last.fields.isEmpty) return merged;
  const own = withNamedFields(last.fields, atom);
  const all = withNamedFields(ownedFields(merged, atom), atom);
  const restored = restore(merged, removeFields(merged, own, atom), { atoms, last, managers });
  const removed = all.difference(withNamedFields(ownedFields(restored, atom), atom)).intersection(own);
  return removeFields(merged, removed, atom);
}

/**
 * Restores the removed fields that a manager owns. Processes the versions one after the other, starting with the version of the previous
 * apply.
 */
function restore(merged: unknown, pruned: unknown, { atoms, last, managers }: PruneOptions): unknown {
  const managed = managedByVersion(managers, last.apiVersion);
  let restored = pruned;
  for (const [version, fields] of managed) {
    const atom = atoms.of(version);
    const named = (set: FieldSet): FieldSet => withNamedFields(set, atom);
    const kept = named(ownedFields(restored, atom)).union(named(fields));
    restored = removeFields(merged, named(ownedFields(merged, atom)).difference(kept), atom);
  }
  return restored;
}

function managedByVersion(managers: Managers, first: string): ReadonlyMap<string, FieldSet> {
  const managed = new Map<string, FieldSet>([[first, FieldSet.EMPTY]]);
  for (const { apiVersion, fields } of managers.values()) {
    managed.set(apiVersion, (managed.get(apiVersion) ?? FieldSet.EMPTY).union(fields));
  }
  return managed;
}
