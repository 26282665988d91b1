import { childPath, isJsonMap, type JsonMap, setOwn } from './json-shape.js';

const FIELDS: ReadonlySet<string> = new Set([
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
]);

const OWNER_FIELDS: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'name',
  'uid',
  'controller',
  'blockOwnerDeletion',
]);

/** Returns the metadata of an object without fields that ObjectMeta does not have. Adds the paths of the removed fields to `unknown`. */
export function pruneObjectMeta(metadata: unknown, path: string, unknown: string[]): unknown {
  if (!isJsonMap(metadata)) return metadata;
  const kept = keepFields(metadata, FIELDS, { path, unknown });
  const owners = kept.ownerReferences;
  if (!Array.isArray(owners)) return kept;
  const prunedOwners = owners.map((owner: unknown, index) =>
    isJsonMap(owner) ? keepFields(owner, OWNER_FIELDS, { path: `${path}.ownerReferences[${index}]`, unknown }) : owner,
  );
  return prunedOwners.every((owner, index) => owner === owners[index])
    ? kept
    : { ...kept, ownerReferences: prunedOwners };
}

function keepFields(
  value: JsonMap,
  fields: ReadonlySet<string>,
  { path, unknown }: { readonly path: string; readonly unknown: string[] },
): JsonMap {
  const surplus = Object.keys(value).filter((key) => !fields.has(key));
  if (surplus.length === 0) return value;
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (fields.has(key)) setOwn(kept, key, value[key]);
    else unknown.push(childPath(path, key));
  }
  return kept;
}
