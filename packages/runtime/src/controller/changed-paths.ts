import { isDeepStrictEqual } from 'node:util';

const MOST_PATHS = 10;
const DEEPEST = 4;
/** What the server changes with every write and what tells nobody anything. */
const SILENT = new Set(['metadata.resourceVersion', 'metadata.managedFields', 'metadata.generation']);

/** The paths by which two versions of an object differ, such as 'spec.image': the first few, down to a few levels. */
export function changedPaths(old: object, now: object): readonly string[] {
  const paths: string[] = [];
  collect({ old, now, path: '', depth: 0 }, paths);
  return paths;
}

interface Difference {
  readonly old: unknown;
  readonly now: unknown;
  readonly path: string;
  readonly depth: number;
}

function collect({ old, now, path, depth }: Difference, paths: string[]): void {
  if (old === now || paths.length >= MOST_PATHS || SILENT.has(path)) return;
  if (!isMap(old) || !isMap(now) || depth === DEEPEST) {
    if (!isDeepStrictEqual(old, now)) paths.push(path);
    return;
  }
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    collect({ old: old[key], now: now[key], path: path === '' ? key : `${path}.${key}`, depth: depth + 1 }, paths);
  }
}
function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
