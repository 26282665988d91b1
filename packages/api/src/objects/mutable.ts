import { markedAs } from './metadata-only.js';
import type { Draft } from './readonly.js';

/** A deep, unfrozen copy, for code that builds on an object step by step. It is not sent anywhere by itself. */
export function mutable<T>(object: T): Draft<T> {
  const copy = structuredClone(object) as { metadata?: Record<string, unknown> };
  if (copy.metadata !== undefined) {
    copy.metadata.labels ??= {};
    copy.metadata.annotations ??= {};
    copy.metadata.finalizers ??= [];
  }
  return (typeof object === 'object' && object !== null ? markedAs(object, copy) : copy) as Draft<T>;
}
