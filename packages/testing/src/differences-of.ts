import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '@kubewright/api/json';

/** Which parts of objects are compared. Paths are written with dots, as in 'metadata.labels'; lists are compared whole. */
export interface DifferencesOptions {
  /** Only what is at these paths or below. @default everything */
  readonly only?: readonly string[];
  /** Not what is at these paths or below. @default nothing is left out */
  readonly ignore?: readonly string[];
  /** Also what the server gives: uid, versions, times, managed fields, generation. @default false */
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
 * The paths at which two objects differ, in order; empty when they agree. A field that is undefined is one that is not there.
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

/** Hands over the path of each leaf, or list, that differs. */
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
