import { finish, type Steps } from '@kubewright/api/apply';
import { stringifyJson } from '@kubewright/api/json';
import { failure } from './storage-error.js';
import { checkValues } from './value-limit.js';

/** The size of the largest request that etcd accepts, in bytes. */
const mostBytes = 1.5 * 1024 * 1024;
/** The size of the largest message that the etcd client in a kube-apiserver sends, in bytes. */
const mostSentBytes = 2 * 1024 * 1024;
/** The maximum number of bytes of JSON for one UTF-16 code unit, as in \u0000. */
const bytesPerUnit = 6;

/**
 * Throws 500 with etcd's message if the JSON of an object is larger than etcd's limit. A kube-apiserver stores built-in kinds as protobuf,
 * which is smaller than JSON. This function applies the limit to the JSON of every kind. Throws 413 for an object with too many values.
 */
export function checkSize(object: object): void {
  finish(checkSizeSteps(object));
}

/** Checks the size of an object like `checkSize`, in steps. */
export function* checkSizeSteps(object: object): Steps<void> {
  checkValues(object);
  yield;
  // Nearly all objects are too small to reach the limit, so this check avoids the serialization of most objects.
  if (!canReach(object)) return;
  yield;
  const bytes = jsonBytes(object);
  if (bytes <= mostBytes) return;
  if (bytes <= mostSentBytes) throw failure(500, '', 'etcdserver: request is too large');
  const why = `trying to send message larger than max (${bytes} vs. ${mostSentBytes})`;
  throw failure(500, '', `rpc error: code = ResourceExhausted desc = ${why}`);
}

/**
 * The sizes of the JSON of fields, in bytes, by field value. Only the sizes of frozen fields are reused. Objects share frozen fields with
 * their earlier versions.
 */
const fieldBytes = new WeakMap<object, number>();

function knownBytes(field: object): number | undefined {
  return Object.isFrozen(field) ? fieldBytes.get(field) : undefined;
}

function jsonBytes(object: object): number {
  let bytes = 1;
  for (const [key, value] of Object.entries(object) as readonly (readonly [string, unknown])[]) {
    if (value !== undefined) bytes += Buffer.byteLength(stringifyJson(key)) + valueBytes(value) + 2;
  }
  return Math.max(bytes, 2);
}

function valueBytes(value: unknown): number {
  const isObject = typeof value === 'object' && value !== null;
  const known = isObject ? knownBytes(value) : undefined;
  if (known !== undefined) return known;
  const bytes = Buffer.byteLength(stringifyJson(value));
  if (isObject) fieldBytes.set(value, bytes);
  return bytes;
}

/** Returns whether the JSON of an object can be longer than the limit. Stops as soon as the result is known. */
function canReach(object: object): boolean {
  return bytesLeft(object, mostBytes) < 0;
}

/** Returns the number of remaining bytes after the longest possible JSON of a value; negative if `bytes` is not enough. */
function bytesLeft(value: unknown, bytes: number): number {
  if (typeof value === 'string') return bytes - value.length * bytesPerUnit - 2;
  if (typeof value === 'bigint') return bytes - value.toString().length;
  if (typeof value !== 'object' || value === null) return bytes - 24;
  const known = knownBytes(value);
  if (known !== undefined) return bytes - known;
  let left = bytes - 2;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at += 1) left = bytesLeft(value[at], left) - 1;
    return left;
  }
  for (const key of Object.keys(value)) {
    left = bytesLeft((value as Readonly<Record<string, unknown>>)[key], left) - key.length * bytesPerUnit - 4;
    if (left < 0) break;
  }
  return left;
}
