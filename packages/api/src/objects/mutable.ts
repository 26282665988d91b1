import { markedAs } from './metadata-only.js';
import type { Draft } from './readonly.js';

/** Returns a deep, unfrozen copy of an object, for code that changes an object step by step. Does not send the object. */
export function mutable<T>(object: T): Draft<T> {
  const copy = structuredClone(object) as { metadata?: Record<string, unknown> };
  if (copy.metadata !== undefined) {
    copy.metadata.labels ??= {};
    copy.metadata.annotations ??= {};
    copy.metadata.finalizers ??= [];
  }
  return (typeof object === 'object' && object !== null ? markedAs(object, copy) : copy) as Draft<T>;
}
