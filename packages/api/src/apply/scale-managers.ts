import { FieldSet } from './field-set.js';
import { decodeManagedFields, encodeManagedFields, type ManagedEntry, type Managers } from './managed-fields.js';
import { fieldElement, type Path } from './path-element.js';

const scaleVersion = 'autoscaling/v1';
const scaleReplicas: Path = ['spec', 'replicas'].map(fieldElement);

/**
 * The path of the replicas for each apiVersion of a kind, as a list of field names. Undefined for a version without the scale subresource.
 */
export type ReplicasPaths = ReadonlyMap<string, readonly string[] | undefined>;

/**
 * Returns the `managedFields` of the Scale of an object: one entry for each manager that owns the replicas, with no other field. Returns
 * undefined if no manager owns the replicas.
 */
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
 * Returns the `managedFields` of an object after a write of its Scale in `apiVersion`. `scaled` contains the `managedFields` of the Scale.
 * Managers that own the replicas of the Scale own the replicas of the object. The entries of new owners do not have a time. All other
 * managers lose ownership of the replicas. Removes the entries of versions that `paths` does not contain.
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

/** Converts the owners of the replicas of the Scale to owners of the replicas of the object. */
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
