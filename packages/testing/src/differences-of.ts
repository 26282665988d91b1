import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '@kubewright/api/json';

/** The fields to compare. Paths are written with dots, as in 'metadata.labels'. Lists are compared as a whole. */
export interface DifferencesOptions {
  /** Compares only these paths and their subpaths. @default all paths */
  readonly only?: readonly string[];
  /** Excludes these paths and their subpaths. @default none */
  readonly ignore?: readonly string[];
  /** Includes the fields that the server sets: uid, versions, times, managed fields, generation. @default false */
  readonly serverFields?: boolean;
}

const SERVER_FIELDS: readonly string[] = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
].map((field) => `metadata.${field}`);

/**
 * Returns the sorted paths at which two objects differ. Returns an empty list for equal objects. An undefined field equals a missing field.
 *
 * ```ts
 * assert.deepEqual(differencesOf(await env.read(deployment), expected, { ignore: ['status'] }), []);
 * ```
 */
export function differencesOf(actual: object, expected: object, options: DifferencesOptions = {}): readonly string[] {
  const ignored = [...(options.ignore ?? []), ...(options.serverFields === true ? [] : SERVER_FIELDS)];
  const found: string[] = [];
  collect([actual, expected], '', (path) => {
    const counts = options.only === undefined || options.only.some((only) => isWithin(path, only));
    if (counts && !ignored.some((ignore) => isWithin(path, ignore))) found.push(path);
  });
  return found.toSorted();
}

/** Calls `onDifference` with the path of each leaf or list that differs. */
function collect([one, other]: readonly [unknown, unknown], path: string, onDifference: (path: string) => void): void {
  if (!isJsonObject(one) && !isJsonObject(other)) {
    if (!isDeepStrictEqual(one, other)) onDifference(path);
    return;
  }
  if ((one !== undefined && !isJsonObject(one)) || (other !== undefined && !isJsonObject(other)))
    return onDifference(path);
  const keys = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
  if (keys.size === 0 && (one === undefined || other === undefined)) return onDifference(path);
  for (const key of keys) collect([one?.[key], other?.[key]], path === '' ? key : `${path}.${key}`, onDifference);
}

function isWithin(path: string, ancestor: string): boolean {
  return path === ancestor || path.startsWith(`${ancestor}.`);
}
