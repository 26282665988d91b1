import { append, isJsonObject } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';

const MOST_PATHS = 10;
const DEEPEST = 4;
/** Of the metadata, what the server changes with every write and what tells nobody anything. */
const SILENT = new Set(['resourceVersion', 'managedFields', 'generation']);

/** Where a field is: the names from the root of its object. */
export type FieldPath = readonly string[];

/** The paths by which two versions of an object differ, such as 'spec.image': the first few, down to a few levels. */
export function changedPaths(old: object, now: object): readonly string[] {
  return changedFields(old, now).map(formatPath);
}

/** The same as lists of names, since a name may have dots in it. */
export function changedFields(old: object, now: object): readonly FieldPath[] {
  const paths: FieldPath[] = [];
  collect({ old, now, path: [] }, paths);
  return paths;
}

/** A path in the words of people: 'spec.image'. */
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

function isSilent([first, second, ...deeper]: FieldPath): boolean {
  return first === 'metadata' && second !== undefined && deeper.length === 0 && SILENT.has(second);
}

/** The names within two objects; the metadata of an object come last, since what is changed of spec and status says more. */
function keysOf(old: object, now: object, path: FieldPath): readonly string[] {
  const keys = Object.keys(old);
  for (const key of Object.keys(now)) if (!Object.hasOwn(old, key)) keys.push(key);
  const at = path.length === 0 ? keys.indexOf('metadata') : -1;
  if (at >= 0) append(keys, keys.splice(at, 1));
  return keys;
}
