import { copyValue } from './copy-value.js';
import { markedAs } from './metadata-only.js';
import type { Draft } from './readonly.js';

/**
 * Returns a deep, unfrozen copy of an object, for code that changes an object step by step. The copy always has labels, annotations and
 * finalizers, which can be empty. Throws a DataCloneError for a value that cannot be copied, such as a function.
 */
export function mutable<T>(object: T): Draft<T> {
  const copy = copyValue(object) as { metadata?: Record<string, unknown> };
  if (copy.metadata !== undefined) {
    copy.metadata.labels ??= {};
    copy.metadata.annotations ??= {};
    copy.metadata.finalizers ??= [];
  }
  return (typeof object === 'object' && object !== null ? markedAs(object, copy) : copy) as Draft<T>;
}
