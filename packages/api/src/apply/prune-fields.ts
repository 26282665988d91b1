import { FieldSet } from './field-set.js';
import type { ManagedEntry, Managers } from './managed-fields.js';
import { ownedFields, withNamedFields } from './owned-fields.js';
import type { Steps } from './steps.js';
import { removeFields } from './remove-fields.js';
import type { VersionedAtoms } from './versioned-atoms.js';

export interface PruneOptions {
  readonly atoms: VersionedAtoms;
  /** The entry of the previous apply of this manager. */
  readonly last: ManagedEntry;
  /** All managers. The entry of this manager contains the fields of the new apply. */
  readonly managers: Managers;
}

const failed = 'failed to prune fields';

/**
 * Removes the fields that the manager applied previously and that no longer have an owner: the new apply does not contain them, and no
 * other manager owns them. Does not remove fields that never had a manager, except within a removed list item or map. Throws an
 * UnconvertibleError if the object cannot be converted to the version of a manager.
 */
export function* pruneFields(merged: unknown, { atoms, last, managers }: PruneOptions): Steps<unknown> {
  const { apiVersion } = last;
  const atom = atoms.of(apiVersion);
  if (last.fields.isEmpty) return merged;
  const to = 'to last applied version';
  const applied = yield* atoms.inVersion(merged, apiVersion, `${failed}: failed to convert merged object ${to}`);
  const own = withNamedFields(last.fields, atom);
  const all = withNamedFields(ownedFields(applied, atom), atom);
  const restored = yield* restore(applied, removeFields(applied, own, atom), { atoms, last, managers });
  const dangling = `${failed}: failed add back dangling items: failed to convert pruned object ${to}`;
  const pruned = yield* atoms.inVersion(restored, apiVersion, dangling);
  const removed = all.difference(withNamedFields(ownedFields(pruned, atom), atom)).intersection(own);
  return yield* atoms.inVersion(removeFields(applied, removed, atom), undefined, failed);
}

/**
 * Restores the removed fields that a manager owns. Processes the versions one after the other, starting with the version of the previous
 * apply. Returns an object of the last version.
 */
function* restore(merged: unknown, pruned: unknown, { atoms, last, managers }: PruneOptions): Steps<unknown> {
  const managed = managedByVersion(managers, last.apiVersion);
  let [all, restored] = [merged, pruned];
  for (const [version, fields] of managed) {
    const atom = atoms.of(version);
    const owned = `${failed}: failed add back owned items: failed to convert`;
    all = yield* atoms.inVersion(all, version, `${owned} merged object at version ${version}`);
    restored = yield* atoms.inVersion(restored, version, `${owned} pruned object at version ${version}`);
    const named = (set: FieldSet): FieldSet => withNamedFields(set, atom);
    const kept = named(ownedFields(restored, atom)).union(named(fields));
    restored = removeFields(all, named(ownedFields(all, atom)).difference(kept), atom);
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
