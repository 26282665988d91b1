import { isJsonObject } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';

/** The metadata fields that the server changes as a result of a write. These fields are ignored. */
const OF_THE_SERVER = new Set(['resourceVersion', 'managedFields', 'generation']);

/**
 * Whether a write explains all differences between two versions of an object. `body` is the body of the write: an apply configuration, a
 * merge patch or a whole object. Returns false if another writer may have contributed to the change.
 */
export function isExplainedBy(body: unknown, old: object, now: object): boolean {
  if (!isJsonObject(body) || !isJsonObject(old) || !isJsonObject(now)) return false;
  return namesOf(old, now).every((name) => {
    if (name !== 'metadata') return explains(body[name], old[name], now[name]);
    return explainsMetadata(body[name], old[name], now[name]);
  });
}

function explainsMetadata(body: unknown, old: unknown, now: unknown): boolean {
  if (!isJsonObject(old) || !isJsonObject(now)) return false;
  const requested = isJsonObject(body) ? body : {};
  return namesOf(old, now).every((name) => OF_THE_SERVER.has(name) || explains(requested[name], old[name], now[name]));
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
    return isJsonObject(now) && namesOf(old, now).every((name) => explains(body[name], old[name], now[name]));
  }
  if (!Array.isArray(body) || !Array.isArray(now)) return true;
  const before: readonly unknown[] = Array.isArray(old) ? old : [];
  return now.length === body.length && now.every((item, at) => explains(body[at], before[at], item));
}

function namesOf(old: Readonly<Record<string, unknown>>, now: Readonly<Record<string, unknown>>): readonly string[] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)])];
}
