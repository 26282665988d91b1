import { setField } from '../json/json-object.js';
import { markedAs } from './metadata-only.js';
import type { Draft } from './readonly.js';

/**
 * Returns a deep, unfrozen copy of an object, for code that changes an object step by step. The copy always has labels, annotations and
 * finalizers, which can be empty. Throws a DataCloneError for a value that cannot be copied, such as a function.
 */
export function mutable<T>(object: T): Draft<T> {
  const copy = copied(object) as { metadata?: Record<string, unknown> };
  if (copy.metadata !== undefined) {
    copy.metadata.labels ??= {};
    copy.metadata.annotations ??= {};
    copy.metadata.finalizers ??= [];
  }
  return (typeof object === 'object' && object !== null ? markedAs(object, copy) : copy) as Draft<T>;
}

/**
 * Returns a deep copy. Copies JSON values itself, because `structuredClone` takes several times as long, and copies other values with
 * `structuredClone`.
 */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? structuredClone(value) : value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setField(copy, key, copied((value as Readonly<Record<string, unknown>>)[key]));
  return copy;
}
