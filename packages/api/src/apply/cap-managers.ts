import { compareTexts, entrySeconds, managerId, type ManagedEntry, type Managers } from './managed-fields.js';

const MAX_UPDATE_MANAGERS = 10;
const OLD_UPDATES = 'ancient-changes';

/**
 * Merges the oldest update entries of each version into one entry for the version, `ancient-changes`. Stops when at most ten update entries
 * are left, or when each version has only one update entry. Apply entries do not count.
 */
export function capManagers(managers: Managers): Managers {
  const updates = [...managers].filter(([, entry]) => entry.operation === 'Update');
  let excess = updates.length - MAX_UPDATE_MANAGERS;
  if (excess <= 0) return managers;
  const byAge = updates.toSorted(
    ([a, left], [b, right]) => entrySeconds(left) - entrySeconds(right) || compareTexts(a, b),
  );
  const capped = new Map(managers);
  const oldest = new Map<string, string>();
  for (const [id, entry] of byAge) {
    if (excess <= 0) break;
    const first = oldest.get(entry.apiVersion);
    if (first === undefined) {
      oldest.set(entry.apiVersion, id);
      continue;
    }
    join(capped, entry, { first, id });
    excess--;
  }
  return capped;
}

/**
 * Merges an entry into the `ancient-changes` entry of the same version. The merged entry gets the time of the given entry, which is the
 * newest so far because the caller passes older entries first.
 */
function join(
  managers: Map<string, ManagedEntry>,
  entry: ManagedEntry,
  { first, id }: { first: string; id: string },
): void {
  const { apiVersion } = entry;
  const bucket = { manager: OLD_UPDATES, operation: 'Update', apiVersion } as const;
  const bucketId = managerId(bucket);
  const before = managers.get(bucketId) ?? managers.get(first);
  if (!managers.has(bucketId)) managers.delete(first);
  managers.delete(id);
  const fields = before === undefined ? entry.fields : entry.fields.union(before.fields);
  managers.set(bucketId, { ...bucket, fields, ...(entry.time === undefined ? {} : { time: entry.time }) });
}
