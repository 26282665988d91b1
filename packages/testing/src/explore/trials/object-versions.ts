import type { WriteName } from '../../writes/write-name.js';
import { objectName } from '../state/stored-object.js';

/** The versions of objects by their uids. */
export type Versions = ReadonlyMap<string, ObjectVersion>;

/** The version of an object. */
export interface ObjectVersion {
  readonly name: string;
  /** The name with '*' instead of the generated part. */
  readonly stableName: string;
  readonly version: string;
  /** Whether a controller of the cluster, instead of the operator, writes the object. */
  readonly isDerived: boolean;
}

/**
 * Returns the names of the objects that the operator changed. Returns no names if the cluster changed an object as well, for example
 * because the schedule of a CronJob was due: the operator may react to this change.
 */
export function changesByOperator(
  { before, after }: { readonly before: Versions; readonly after: Versions },
  writes: readonly WriteName[],
): readonly string[] {
  const written = new Set(writes.map(({ kind, namespace, name = '' }) => objectName(kind, { namespace, name })));
  const changed = changedObjects(before, after);
  const isByCluster = changed.some(({ name, isDerived }) => isDerived || !written.has(name));
  return isByCluster ? [] : changed.map(({ name }) => name);
}

/** Returns the names of the objects of the operator that were deleted, even if objects with the same names exist again. */
export function deletedObjects({
  before,
  after,
}: {
  readonly before: Versions;
  readonly after: Versions;
}): readonly string[] {
  return [...before].flatMap(([uid, { stableName, isDerived }]) => (isDerived || after.has(uid) ? [] : [stableName]));
}

/** Returns the objects that were created, changed or deleted. */
export function changedObjects(before: Versions, after: Versions): readonly ObjectVersion[] {
  const uids = [...new Set([...before.keys(), ...after.keys()])];
  const changed = uids.filter((uid) => before.get(uid)?.version !== after.get(uid)?.version);
  return changed.flatMap((uid) => after.get(uid) ?? before.get(uid) ?? []);
}
