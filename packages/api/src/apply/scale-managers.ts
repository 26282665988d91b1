import { FieldSet } from './field-set.js';
import { decodeManagedFields, encodeManagedFields, type ManagedEntry, type Managers } from './managed-fields.js';
import { fieldElement, type Path } from './path-element.js';

const scaleVersion = 'autoscaling/v1';
const scaleReplicas: Path = ['spec', 'replicas'].map(fieldElement);

/** Where each version of a kind has its replicas, as the names on the way; undefined for a version that cannot be scaled. */
export type ReplicasPaths = ReadonlyMap<string, readonly string[] | undefined>;

/** The `managedFields` of an object's Scale: those of its managers that have its replicas, and nothing else. */
export function scaleManagedFields(managedFields: unknown, paths: ReplicasPaths): readonly object[] | undefined {
  const managers = new Map<string, ManagedEntry>();
  for (const [id, entry] of decodeManagedFields(managedFields)) {
    const path = replicasPath(entry, paths);
    if (path === undefined || !entry.fields.has(path)) continue;
    managers.set(id, { ...entry, apiVersion: scaleVersion, fields: FieldSet.of([scaleReplicas]) });
  }
  return encodeManagedFields(managers);
}

/**
 * The `managedFields` of an object whose Scale was written in `apiVersion` and now has these. Who has the replicas of the
 * Scale has those of the object, since a time that nobody knows; all others lose them.
 */
export function scaledManagedFields(
  managedFields: unknown,
  scaled: unknown,
  { paths, apiVersion }: { readonly paths: ReplicasPaths; readonly apiVersion: string },
): readonly object[] | undefined {
  const left = new Map<string, ManagedEntry>();
  const written = new Map(decodeManagedFields(scaled));
  for (const [id, entry] of decodeManagedFields(managedFields)) {
    if (!paths.has(entry.apiVersion)) continue;
    const path = replicasPath(entry, paths);
    if (path === undefined || !entry.fields.has(path) || written.delete(id)) {
      left.set(id, entry);
      continue;
    }
    const fields = entry.fields.difference(FieldSet.of([path]));
    if (!fields.isEmpty) left.set(id, { ...entry, fields });
  }
  return encodeManagedFields(
    new Map([...left, ...ownersOf(written, FieldSet.ofNames([paths.get(apiVersion) ?? []]), apiVersion)]),
  );
}

/** The managers of the Scale's replicas as those of the object's. */
function ownersOf(managers: Managers, fields: FieldSet, apiVersion: string): Managers {
  const owners = new Map<string, ManagedEntry>();
  for (const [id, { time: _, ...entry }] of managers) {
    if (entry.fields.has(scaleReplicas)) owners.set(id, { ...entry, apiVersion, fields });
  }
  return owners;
}

function replicasPath({ apiVersion }: ManagedEntry, paths: ReplicasPaths): Path | undefined {
  return paths.get(apiVersion)?.map(fieldElement);
}
