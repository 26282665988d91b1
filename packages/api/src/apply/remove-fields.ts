import { isJsonObject, setField } from '../json/json-object.js';
import { DEDUCED, deduce, type Atom, type ListAtom, type MapAtom } from './atom.js';
import type { FieldSet } from './field-set.js';
import { itemElements } from './list-elements.js';
import { fieldElement } from './path-element.js';

/**
 * Returns the value without the fields of `set`. A map or list that becomes empty and is not itself a member becomes null. An atomic map or
 * list becomes null if `set` is not empty. For a built-in kind, null means that the field is not set. The API server rejects a custom
 * resource with null if the schema does not allow null.
 */
export function removeFields(value: unknown, set: FieldSet, atom: Atom): unknown {
  if (set.isEmpty) return value;
  const part = deduce(atom, value);
  if (part.map !== undefined) return isJsonObject(value) ? removeFromMap(value, set, part.map) : null;
  if (part.scalar === undefined && part.list !== undefined) {
    return Array.isArray(value) ? removeFromList(value, set, part.list) : null;
  }
  return value;
}

function removeFromMap(value: Readonly<Record<string, unknown>>, set: FieldSet, map: MapAtom): unknown {
  if (map.atomic) return null;
  const result: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    const element = fieldElement(key);
    if (set.members.has(element.id)) continue;
    setField(result, key, removeFields(field, set.below(element), (map.field(key) ?? (() => DEDUCED))()));
  }
  return Object.keys(result).length > 0 ? result : null;
}

function removeFromList(items: readonly unknown[], set: FieldSet, list: ListAtom): unknown {
  if (list.atomic) return null;
  const elements = itemElements(list, items);
  const result: unknown[] = [];
  for (const [at, element] of elements.entries()) {
    if (set.members.has(element.id)) continue;
    result.push(removeFields(items[at], set.below(element), list.items()));
  }
  return result.length > 0 ? result : null;
}
