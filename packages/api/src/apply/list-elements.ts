import { getField, isJsonObject } from '../json/json-object.js';
import type { ListAtom } from './atom.js';
import { keyElement, valueElement, type PathElement } from './path-element.js';
import { FieldTypeError } from './type-error.js';

/** Returns the path element that identifies an item of a set or a keyed list. Throws `FieldTypeError`. */
export function itemElement(list: ListAtom, item: unknown): PathElement {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

/** Returns the path elements of all items. Throws `FieldTypeError` with the position of the first item that cannot be identified. */
export function itemElements(list: ListAtom, items: readonly unknown[]): readonly PathElement[] {
  return items.map((item, at) => elementAt(list, item, at));
}

/** Returns the path element of the item at a position. Throws `FieldTypeError` with the position if the item cannot be identified. */
export function elementAt(list: ListAtom, item: unknown, at: number): PathElement {
  try {
    return itemElement(list, item);
  } catch (error) {
    if (error instanceof FieldTypeError) throw new FieldTypeError(`element ${at}: ${error.detail}`, error.path);
    throw error;
  }
}

function keyedElement(list: ListAtom, item: unknown): PathElement {
  if (item === null) throw new FieldTypeError('associative list with keys may not have a null element');
  if (!isJsonObject(item)) throw new FieldTypeError('associative list with keys may not have non-map elements');
  const keys: [string, unknown][] = [];
  for (const key of list.keys) {
    const value = getField(item, key) ?? list.keyDefault(key);
    if (value !== undefined) keys.push([key, value]);
  }
  if (keys.length > 0) return keyElement(keys);
  const names = list.keys.map((key) => JSON.stringify(key)).join(' ');
  const why = "(and doesn't have default values for any key fields)";
  throw new FieldTypeError(`associative list with keys has an element that omits all key fields [${names}] ${why}`);
}

function setElement(item: unknown): PathElement {
  if (item === null) throw new FieldTypeError("associative list without keys has an element that's an explicit null");
  if (Array.isArray(item)) throw new FieldTypeError('not supported: associative list with lists as elements');
  if (isJsonObject(item)) throw new FieldTypeError("associative list without keys has an element that's a map type");
  return valueElement(item);
}
