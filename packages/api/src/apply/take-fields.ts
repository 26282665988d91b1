import { ApplyConflictError, conflictOver } from './apply-conflict-error.js';
import type { Comparison } from './compare-values.js';
import { FieldSet } from './field-set.js';
import type { Steps } from './steps.js';
import { UNTRACKED_METADATA, UNTRACKED_ROOT } from './untracked-fields.js';
import { compareTexts, type ManagedEntry, type Managers } from './managed-fields.js';

/** The fields that never have an owner. */
const UNTRACKED = FieldSet.ofNames([
  ...[...UNTRACKED_ROOT].map((name) => [name]),
  ...[...UNTRACKED_METADATA].map((name) => ['metadata', name]),
]);

export interface TakeFieldsOptions {
  /** The id of the manager that writes and keeps its fields. Empty if all managers lose the changed fields. */
  readonly writer: string;
  /** Whether to remove changed fields from their managers. Otherwise, changed fields cause a conflict. */
  readonly force: boolean;
}

/**
 * Removes the fields that a write changed (removed, modified or added) from the entries of all other managers, in steps. Compares the
 * objects in the version of each manager. Removes entries that have no fields left. Without force, throws `ApplyConflictError` if the write
 * modifies or adds fields of other managers.
 */
export function* takeFields(
  managers: Managers,
  compared: (apiVersion: string) => Steps<Comparison>,
  { writer, force }: TakeFieldsOptions,
): Steps<Map<string, ManagedEntry>> {
  const others = [...managers].filter(([id]) => id !== writer);
  // Conflicts are sorted by manager.
  if (!force) others.sort(([a], [b]) => compareTexts(a, b));
  const changes = yield* changesByVersion(others, compared);
  const none = { changed: FieldSet.EMPTY, lost: FieldSet.EMPTY };
  const changesIn = ({ apiVersion }: ManagedEntry): Changes => changes.get(apiVersion) ?? none;
  const conflicts = force
    ? []
    : others.flatMap(([, entry]) =>
        [...entry.fields.intersection(changesIn(entry).changed).paths()].map((path) => conflictOver(entry, path)),
      );
  if (conflicts.length > 0) throw new ApplyConflictError(conflicts);
  const left = new Map<string, ManagedEntry>();
  for (const [id, entry] of managers) {
    const fields = id === writer ? entry.fields : entry.fields.difference(changesIn(entry).lost);
    if (!fields.isEmpty) left.set(id, { ...entry, fields });
  }
  return left;
}

/** The changes of a write in one version. */
interface Changes {
  readonly changed: FieldSet;
  readonly lost: FieldSet;
}

/** Returns the changes in the version of each manager. */
function* changesByVersion(
  managers: readonly (readonly [string, ManagedEntry])[],
  compared: (apiVersion: string) => Steps<Comparison>,
): Steps<ReadonlyMap<string, Changes>> {
  const changes = new Map<string, Changes>();
  for (const [, { apiVersion }] of managers) {
    if (changes.has(apiVersion)) continue;
    const { modified, added, removed } = yield* compared(apiVersion);
    const changed = modified.union(added);
    changes.set(apiVersion, { changed, lost: changed.union(removed) });
  }
  return changes;
}

/** Returns the comparison without the fields that this endpoint never writes. */
export function withoutReset(compared: Comparison, reset: FieldSet): Comparison {
  return {
    removed: compared.removed.recursiveDifference(reset),
    modified: compared.modified.recursiveDifference(reset),
    added: compared.added.recursiveDifference(reset),
  };
}

/** Returns the set without the fields that never have an owner. */
export function trackedFields(set: FieldSet): FieldSet {
  return set.difference(UNTRACKED);
}
