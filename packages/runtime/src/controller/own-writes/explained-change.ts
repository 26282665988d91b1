import { isJsonObject } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';

/** The metadata fields that the server changes as a result of a write. These fields are ignored. */
const OF_THE_SERVER = new Set(['resourceVersion', 'managedFields', 'generation']);

/** The fields whose changes do not increment the generation. */
const NOT_OF_SPEC = new Set(['metadata', 'status']);

/**
 * Whether a write explains all differences between two versions of an object. `body` is the body of the write: an apply configuration, a
 * merge patch or a whole object. Returns false if another writer may have contributed to the change.
 */
export function isExplainedBy(body: unknown, old: object, now: object): boolean {
  if (!isJsonObject(body) || !isJsonObject(old) || !isJsonObject(now)) return false;
  return everyName(old, now, (name) => {
    if (name !== 'metadata') return explains(body[name], old[name], now[name]);
    return explainsMetadata(body[name], old[name], now[name]);
  });
}
/** Same as `isExplainedBy`, but ignores metadata and status. */
export function isSpecExplainedBy(body: unknown, old: object, now: object): boolean {
  if (!isJsonObject(body) || !isJsonObject(old) || !isJsonObject(now)) return false;
  return everyName(old, now, (name) => NOT_OF_SPEC.has(name) || explains(body[name], old[name], now[name]));
}

function explainsMetadata(body: unknown, old: unknown, now: unknown): boolean {
  if (!isJsonObject(old) || !isJsonObject(now)) return false;
  const requested = isJsonObject(body) ? body : {};
  return everyName(old, now, (name) => OF_THE_SERVER.has(name) || explains(requested[name], old[name], now[name]));
}

/**
 * Whether the body explains the difference between two values of a field. For an added field, the server may have added defaults to the
 * requested value.
 */
function explains(body: unknown, old: unknown, now: unknown): boolean {
  if (old === now || deepEqual(old, now)) return true;
  if (body === undefined) return false;
  if (old === undefined) return true;
  if (isJsonObject(body)) {
    if (!isJsonObject(old)) return isJsonObject(now);
    return isJsonObject(now) && everyName(old, now, (name) => explains(body[name], old[name], now[name]));
  }
  if (!Array.isArray(body) || !Array.isArray(now)) return true;
  const before: readonly unknown[] = Array.isArray(old) ? old : [];
  return now.length === body.length && now.every((item, at) => explains(body[at], before[at], item));
}

/** Whether the test returns true for each field name of two objects. Does not test fields with the same value. */
function everyName(
  old: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
  test: (name: string) => boolean,
): boolean {
  for (const name in old) if (old[name] !== now[name] && !test(name)) return false;
  for (const name in now) if (!Object.hasOwn(old, name) && !test(name)) return false;
  return true;
}
