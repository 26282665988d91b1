import { copyJson, emptyObject, isObject, valueAt } from '@kubewright/api/json';
import type { ApiObject, DraftObject, JsonDraft } from './api-object.js';

export {
  copyJson,
  emptyObject,
  isObject,
  nameTable,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  valueAt,
} from '@kubewright/api/json';

/** Returns a deep copy that the caller may change. */
export function draftOf(object: ApiObject): DraftObject {
  return copyJson(object);
}

/** Whether an object has no own properties. */
export function hasNoFields(object: object): boolean {
  for (const key in object) if (Object.hasOwn(object, key)) return false;
  return true;
}

/**
 * Returns the object at the path of a draft. Replaces each missing value on the path, and each value that is not an object, with an empty
 * object.
 */
export function madeAt(draft: JsonDraft, ...path: readonly string[]): JsonDraft {
  let current = draft;
  for (const step of path) {
    const next = current[step];
    if (isObject(next)) {
      current = next;
    } else {
      const made = emptyObject();
      current[step] = made;
      current = made;
    }
  }
  return current;
}

/** Returns the strings in the list at the path. Returns an empty list if the path does not contain a list. */
export function textsAt(value: unknown, ...path: readonly string[]): readonly string[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found.filter((item): item is string => typeof item === 'string') : [];
}
