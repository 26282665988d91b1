import { append, isJsonObject } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';

/** The maximum number of paths. */
export const MOST_PATHS = 10;
/** The maximum number of levels of a path. */
export const DEEPEST = 4;
/** The metadata fields that the server changes as a result of a write. They are omitted because they do not explain a change. */
const SILENT = new Set(['resourceVersion', 'managedFields', 'generation']);

/** The path of a field: the field names from the root of the object. */
export type FieldPath = readonly string[];

/**
 * Returns the paths of the fields that differ between two versions of an object, such as 'spec.image'. Returns up to 10 paths with up to 4
 * levels.
 */
export function changedPaths(old: object, now: object): readonly string[] {
  return changedFields(old, now).map(formatPath);
}

/** Same as `changedPaths`, but returns each path as a list of names, because a name can contain dots. */
export function changedFields(old: object, now: object): readonly FieldPath[] {
  const paths: FieldPath[] = [];
  collect({ old, now, path: [] }, paths);
  return paths;
}

/** Formats a path for messages, such as 'spec.image'. */
export function formatPath(path: FieldPath): string {
  return path.join('.');
}

interface Difference {
  readonly old: unknown;
  readonly now: unknown;
  readonly path: FieldPath;
}

function collect({ old, now, path }: Difference, paths: FieldPath[]): void {
  if (old === now || paths.length >= MOST_PATHS || isSilent(path)) return;
  if (!isJsonObject(old) || !isJsonObject(now) || path.length === DEEPEST) {
    if (!deepEqual(old, now)) paths.push(path);
    return;
  }
  for (const key of keysOf(old, now, path)) {
    if (old[key] !== now[key]) collect({ old: old[key], now: now[key], path: [...path, key] }, paths);
  }
}

/** Whether a path leads to a metadata field that the server changes as a result of a write. */
export function isSilent(path: FieldPath): boolean {
  const [first, second] = path;
  return path.length === 2 && first === 'metadata' && second !== undefined && SILENT.has(second);
}

/** Returns the field names of two objects. For the root, `metadata` is last, because changes of spec and status are more informative. */
function keysOf(old: object, now: object, path: FieldPath): readonly string[] {
  const keys = Object.keys(old);
  for (const key of Object.keys(now)) if (!Object.hasOwn(old, key)) keys.push(key);
  const at = path.length === 0 ? keys.indexOf('metadata') : -1;
  if (at >= 0) append(keys, keys.splice(at, 1));
  return keys;
}
